#include "generator/driver/validate/compare_outputs.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lathe::driver {
namespace {

// Returns a line about floats whose differences are small beside the values: those of another order
// of sums, or of one unit of a quantized output. Returns "" for other differences.
std::string ToleranceHint(const PartBytes& wanted, const Difference& d) {
  constexpr double kSmall = 0.05, kAbove = 1.1;  // the number is printed with two digits
  if (d.beyond == 0 || !wanted.dtype.is_floating() || !wanted.pieces.empty()) return "";
  const double largest = LargestOf(wanted);
  if (!(d.largest <= kSmall * largest)) return "";
  return absl::StrFormat("  the values reach %.3g; --atol %.2g accepts the differences\n", largest,
                         kAbove * d.largest);
}

}  // namespace

absl::StatusOr<ComparisonTable> CompareOutputs(const std::vector<std::string>& names,
                                               const std::vector<PartBytes>& wanted,
                                               const std::string& got, const Tolerance& tolerance,
                                               bool first_wrong) {
  ComparisonTable table;
  size_t at = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string part = got.substr(std::min(at, got.size()), wanted[i].bytes.size());
    at += wanted[i].bytes.size();
    if (part.size() != wanted[i].bytes.size()) {
      return absl::FailedPreconditionError("the compiled program wrote too few bytes");
    }
    const Difference d = CompareParts(wanted[i], part, tolerance);
    table.all_good = table.all_good && d.beyond == 0;
    if (first_wrong && d.beyond == 0) continue;
    table.outputs.push_back({names[i], wanted[i].type(), wanted[i].shape, d});
    absl::StrAppendFormat(
        &table.lines, "%-16s %-10s %-16s max|d| %-9.3g %s\n", names[i], wanted[i].type(),
        interp::ShapeToString(wanted[i].shape), d.largest,
        d.beyond == 0 ? "ok"
                      : absl::StrCat(d.beyond, " of ", d.elements, " differ, first at ", d.first));
    table.lines += ToleranceHint(wanted[i], d);
    if (first_wrong) break;
  }
  return table;
}

}  // namespace lathe::driver
