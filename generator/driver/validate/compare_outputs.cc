#include "generator/driver/validate/compare_outputs.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lathe::driver {

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
    if (first_wrong) break;
  }
  return table;
}

}  // namespace lathe::driver
