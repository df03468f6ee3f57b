#include "generator/emit/c/run_parts_view.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"

namespace lathe::emit {
namespace {

constexpr size_t kPartsInALine = 10;

}  // namespace

void AddRunParts(const Model& model, ir::RoutineId id, size_t first, ApiFunction& api,
                 TemplateValue::Dict& entry) {
  const absl::Span<const schedule::RunPart> parts = model.PartsOf(id);
  entry["has_parts"] = !parts.empty();
  if (parts.empty()) return;
  const std::string prefix = UpperCase(api.prefix.str());
  api.step = absl::StrCat(api.prefix.str(), "_step");
  api.step_count = absl::StrCat(prefix, "_STEP_COUNT");
  bool known = true;
  int64_t most = 0;
  TemplateValue::List lines;
  for (size_t i = 0; i < parts.size(); i += kPartsInALine) {
    std::string line;
    for (size_t k = i; k < std::min(parts.size(), i + kPartsInALine); ++k) {
      known = known && parts[k].macs.has_value();
      most = std::max(most, parts[k].macs.value_or(0));
      absl::StrAppend(&line, k > i ? ", " : "", parts[k].macs.value_or(0), "u",
                      k + 1 == i + kPartsInALine && k + 1 < parts.size() ? "," : "");
    }
    lines.push_back(TemplateValue::Dict{{"text", line}});
  }
  entry["NAME"] = prefix;
  entry["step"] = api.step;
  entry["part"] = absl::StrCat(api.function.str(), "_part");
  entry["check"] = absl::StrCat(api.function.str(), "_check");
  entry["parts"] = absl::StrCat(parts.size());
  entry["knows_macs"] = known;
  entry["macs"] = std::move(lines);
  entry["most_macs"] = absl::StrCat(most);
  entry["macs_type"] = most > std::numeric_limits<uint32_t>::max() ? "uint64_t" : "uint32_t";
  entry["follows"] = first > 0;  // another function of the model, whose steps count first
  entry["first"] = absl::StrCat(first);
  entry["after"] = absl::StrCat("part + ", first + 1, "u");
}

}  // namespace lathe::emit
