// A self-test for a bundle: made-up inputs, and what the interpreter makes of them.
#ifndef LATHE_DRIVER_VALIDATE_GOLDEN_H_
#define LATHE_DRIVER_VALIDATE_GOLDEN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/make_model.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

struct Golden {
  emit::OutputFile file;              // NAME_selftest.c, or .cpp for GPUs
  std::vector<std::string> left_out;  // a line for each function that it does not test
};

// For each function that the module exports. Shape variables that were not bound are made up with
// the inputs. A function that has to be given functions from outside, or whose evaluation fails, is
// left out; where that leaves none, it fails, and what went wrong as the first ran is in `diags`.
absl::StatusOr<Golden> GoldenFile(MadeModel& made, uint64_t seed, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_GOLDEN_H_
