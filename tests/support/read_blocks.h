// Reads the blocks of a memory packing problem from a published CSV file.
#ifndef LATHE_TESTS_SUPPORT_READ_BLOCKS_H_
#define LATHE_TESTS_SUPPORT_READ_BLOCKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/plan/pack.h"

namespace lathe {

// Parses a header line, then lines of id,lower,upper,size: alive in [lower, upper).
absl::StatusOr<std::vector<plan::Block>> ReadBlocks(const std::string& path);

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_READ_BLOCKS_H_
