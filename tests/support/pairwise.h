// Generates few rows of choices that contain every pair of choices, for sweeps over many
// attributes.
#ifndef LATHE_TESTS_SUPPORT_PAIRWISE_H_
#define LATHE_TESTS_SUPPORT_PAIRWISE_H_

#include <cstddef>
#include <vector>

namespace lathe::testing {

// Rows of as many numbers as `levels` has, each below the level of its place. For any two places
// and any two numbers there, some row has both. The same rows for the same levels.
std::vector<std::vector<size_t>> Pairwise(const std::vector<size_t>& levels);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_PAIRWISE_H_
