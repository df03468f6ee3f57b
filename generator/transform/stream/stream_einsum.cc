#include "generator/transform/stream/stream_einsum.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamEinsum(const RuleCall& c) {
  std::string text = ops::FindString(c.call, "subscripts");
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::vector<std::string> sides = absl::StrSplit(text, "->");
  const std::vector<std::string> inputs = absl::StrSplit(sides[0], ',');
  const auto* operands = c.call.args[0].As<ir::TupleExpr>();
  const bool known = sides.size() == 2 && operands != nullptr &&
                     operands->fields.size() == inputs.size() &&
                     absl::c_all_of(sides[1] + absl::StrReplaceAll(sides[0], {{",", ""}}),
                                    [](char letter) { return absl::ascii_isalpha(letter); });
  if (!known) {
    return absl::InvalidArgumentError(
        "has subscripts without '->', or with '...'; supported: a letter for each axis");
  }
  std::optional<TimeAxis> time;
  char letter = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const TimeAxis* of = c.TimeOf(operands->fields[k]);
    if (of == nullptr) continue;
    const char named = inputs[k][static_cast<size_t>(of->axis)];
    const bool same =
        !time || (named == letter && of->length == time->length && of->step == time->step);
    if (!same) return WholeWindow(c);  // such as the products of all pairs of frames
    letter = named;
    time = *of;
  }
  const size_t axis = sides[1].find(letter);
  if (axis == sides[1].npos) return WholeWindow(c);
  for (size_t k = 0; k < inputs.size(); ++k) {
    const TimeAxis* of = c.TimeOf(operands->fields[k]);
    const auto count = absl::c_count(inputs[k], letter);
    if (count != (of == nullptr ? 0 : 1)) {
      return absl::InvalidArgumentError(
          "multiplies each frame by another one; supported: operands without the axis of time");
    }
  }
  time->axis = static_cast<int>(axis);
  return EachFrame(c, *time);
}

}  // namespace lathe::transform
