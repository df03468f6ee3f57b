#include "generator/schedule/vectors/describe_form.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::schedule {

std::string DescribeForm(const ir::KernelForm& form) {
  std::vector<std::string> parts;
  bool vectors = false;
  for (const ir::StageForm& stage : form.stages) {
    if (const auto* sum = std::get_if<ir::TiledSum>(&stage)) {
      parts.push_back(absl::StrCat("tiles ", sum->rows, "x", sum->vectors * form.lanes));
    }
    const auto* loops = std::get_if<ir::VectorLoops>(&stage);
    if (loops != nullptr || std::holds_alternative<ir::IntegerLanes>(stage)) vectors = true;
  }
  if (vectors) parts.push_back(form.lanes == 1 ? "groups" : "vectors");
  return absl::StrJoin(parts, ", ");
}

}  // namespace lathe::schedule
