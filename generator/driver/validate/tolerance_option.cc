#include "generator/driver/validate/tolerance_option.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/schedule/vectors/tile_shape.h"

namespace lathe::driver {
namespace {

// A program rounds sums of small floats after each addition, GPUs only once. Allows for the
// rounding errors of this many additions.
constexpr double kSteps = 16;
// Relative error of a product of two factors rounded to 11 bits (2^-11 for each factor). If terms
// of a sum cancel, the absolute error is up to kCancelled times that.
constexpr double kRoundedFactors = 0x1p-10;
constexpr double kCancelled = 8;

}  // namespace

FloatDeviations DeviationsOf(const ValidatePlace& place) {
  FloatDeviations deviations;
  deviations.reordered_sums = place.gpus || schedule::LanesOf(*place.target) > 0;
  deviations.wide_accumulators = place.gpus.has_value();
  deviations.tf32 = place.gpus && place.gpus->tf32;
  return deviations;
}

absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, const FloatDeviations& deviations,
                                        bool has_test_data) {
  Tolerance tolerance;
  if (deviations.reordered_sums) tolerance.absolute = 1e-5;  // reordered sums round differently
  if (deviations.wide_accumulators) tolerance.roundings = tolerance.unit_roundings = kSteps;
  if (deviations.tf32) {
    tolerance.relative = kRoundedFactors;
    tolerance.absolute = kRoundedFactors * kCancelled;
  }
  if (has_test_data) tolerance = {1e-3, 1e-7, 0, 0};
  for (const auto& [option, into] :
       {std::pair("--rtol", &tolerance.relative), std::pair("--atol", &tolerance.absolute)}) {
    if (args.Has(option) && !absl::SimpleAtod(args.Value(option), into)) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '", option, "' must be a number; got '", args.Value(option), "'"));
    }
  }
  return tolerance;
}

}  // namespace lathe::driver
