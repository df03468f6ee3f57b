#include "generator/driver/tolerance_option.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lathe::driver {
namespace {

// Sums of small floats that a program rounds after each addition are rounded once on a GPU: what
// the program loses in so many steps is allowed for.
constexpr double kSteps = 16;

}  // namespace

absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, bool own_order, bool sums_wide,
                                        bool has_test_data) {
  Tolerance tolerance;
  if (own_order) tolerance.absolute = 1e-5;  // sums round otherwise
  if (sums_wide) tolerance.roundings = tolerance.unit_roundings = kSteps;
  if (has_test_data) tolerance = {1e-3, 1e-7, 0, 0};
  for (const auto& [option, into] :
       {std::pair("--rtol", &tolerance.relative), std::pair("--atol", &tolerance.absolute)}) {
    if (args.Has(option) && !absl::SimpleAtod(args.Value(option), into)) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '", option, "' is a number; got '", args.Value(option), "'"));
    }
  }
  return tolerance;
}

}  // namespace lathe::driver
