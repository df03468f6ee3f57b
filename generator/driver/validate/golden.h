// Generates the self-test of a bundle: random inputs, and the interpreter's results as expected
// outputs.
#ifndef LATHE_DRIVER_VALIDATE_GOLDEN_H_
#define LATHE_DRIVER_VALIDATE_GOLDEN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/compile_model.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

struct Golden {
  emit::OutputFile file;             // NAME_selftest.c, or .cpp for GPUs
  std::vector<std::string> omitted;  // a line for each function that is not tested, with the reason
};

// Tests each exported function, with random values for unbound shape variables. Omits functions
// that call external functions and functions whose evaluation fails. If none remains, fails with
// the error of the first function in `diags`.
absl::StatusOr<Golden> GoldenFile(CompiledModel& compiled, uint64_t seed, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_GOLDEN_H_
