// Generates few rows of choices that contain every pair of choices, for sweeps over many
// attributes.
#ifndef LATHE_TESTS_SUPPORT_PAIRWISE_H_
#define LATHE_TESTS_SUPPORT_PAIRWISE_H_

#include <cstddef>
#include <vector>

namespace lathe::testing {

// Returns rows with one number per entry of `levels`, below that entry. For any two positions and
// any two numbers there, some row has both. Equal levels give equal rows.
std::vector<std::vector<size_t>> Pairwise(const std::vector<size_t>& levels);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_PAIRWISE_H_
