// What a compiled program gave beside what it should give, a line for each part.
#ifndef LATHE_DRIVER_VALIDATE_COMPARED_TABLE_H_
#define LATHE_DRIVER_VALIDATE_COMPARED_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/port_bytes.h"

namespace lathe::driver {

struct ComparedTable {
  std::string lines;
  bool all_good = true;
};

// `got` holds the bytes of all parts, one after the other; FailedPrecondition when it ends early.
// With `first_wrong` alone, a line for the first part that differs, if one does.
absl::StatusOr<ComparedTable> CompareAll(const std::vector<std::string>& names,
                                         const std::vector<PartBytes>& wanted,
                                         const std::string& got, const Tolerance& tolerance,
                                         bool first_wrong);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COMPARED_TABLE_H_
