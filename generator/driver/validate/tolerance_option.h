// Reads --rtol and --atol, the tolerances for floats.
#ifndef LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_
#define LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/validate_place.h"

namespace lathe::driver {

// Numerical deviations from the program that code for a target may have.
struct FloatDeviations {
  bool reordered_sums = false;     // sums are reordered
  bool wide_accumulators = false;  // sums of small floats are accumulated in float32
  bool tf32 = false;               // float32 factors are rounded to 11 bits
};

// Returns those of the code that is run at `place`.
FloatDeviations DeviationsOf(const ValidatePlace& place);

// Reads the tolerance. The defaults depend on the deviations of the code. With test data, which
// other implementations computed, they are 1e-3 and 1e-7 for all formats and code.
absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, const FloatDeviations& deviations,
                                        bool has_test_data);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_
