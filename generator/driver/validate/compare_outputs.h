// Renders the comparison of actual and expected outputs as a table, one line for each part.
#ifndef LATHE_DRIVER_VALIDATE_COMPARE_OUTPUTS_H_
#define LATHE_DRIVER_VALIDATE_COMPARE_OUTPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/port_bytes.h"

namespace lathe::driver {

struct ComparedOutput {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  Difference difference;
};

struct ComparisonTable {
  std::vector<ComparedOutput> outputs;  // one for each line
  std::string lines;
  bool all_good = true;  // no part differs by more than the tolerance
};

// Compares `got`, the bytes of all parts one after another, with `wanted`. `names` are those of the
// parts. With `first_wrong`, only the first part that differs is rendered. Fails with
// FailedPrecondition if `got` is too short.
absl::StatusOr<ComparisonTable> CompareOutputs(const std::vector<std::string>& names,
                                               const std::vector<PartBytes>& wanted,
                                               const std::string& got, const Tolerance& tolerance,
                                               bool first_wrong);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COMPARE_OUTPUTS_H_
