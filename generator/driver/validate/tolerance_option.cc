#include "generator/driver/validate/tolerance_option.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lathe::driver {
namespace {

// Sums of small floats that a program rounds after each addition are rounded once on a GPU: what
// the program loses in so many steps is allowed for.
constexpr double kSteps = 16;
// A product of two factors that are rounded to 11 bits is within 2^-11 of both together; of sums in
// which much cancels out so much of what is left.
constexpr double kRoundedFactors = 0x1p-10;
constexpr double kCancelled = 8;

}  // namespace

absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, const Liberties& liberties,
                                        bool has_test_data) {
  Tolerance tolerance;
  if (liberties.own_order) tolerance.absolute = 1e-5;  // sums round otherwise
  if (liberties.wide_sums) tolerance.roundings = tolerance.unit_roundings = kSteps;
  if (liberties.tf32) {
    tolerance.relative = kRoundedFactors;
    tolerance.absolute = kRoundedFactors * kCancelled;
  }
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
