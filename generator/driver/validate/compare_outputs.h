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
  std::vector<ComparedOutput> outputs;  // those of the lines
  std::string lines;
  bool all_good = true;
};

// `got` contains the bytes of all parts; fails with FailedPrecondition if it is too short. With
// `first_wrong`, renders only the first part that differs.
absl::StatusOr<ComparisonTable> CompareOutputs(const std::vector<std::string>& names,
                                               const std::vector<PartBytes>& wanted,
                                               const std::string& got, const Tolerance& tolerance,
                                               bool first_wrong);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COMPARE_OUTPUTS_H_
