#include "generator/emit/c/state_view.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/c/print_state.h"
#include "generator/emit/text/comment_text.h"

namespace lathe::emit {

void AddMemory(const Model& model, bool open, TemplateValue::Dict& view) {
  AddPools(model.plan, model.name, open, view);
  TemplateValue::List variables, fills;
  const plan::StateLayout& layout = model.plan.state;
  const std::vector<ir::StateVariable>& state = model.program.state;
  int64_t filled = 0;
  for (size_t i = 0; i < state.size(); ++i) {
    const ir::StateVariable& variable = state[i];
    variables.push_back(TemplateValue::Dict{
        {"text",
         absl::StrCat(CommentText(variable.name), ": ", ToString(variable.dtype), "[",
                      absl::StrJoin(variable.shape, ", "), "] at ", layout.offsets[i], ", ",
                      variable.bytes, " bytes, each ", int{variable.first_byte}, " at first")}});
    const bool is_last = i + 1 == state.size();
    if (!is_last && state[i + 1].first_byte == variable.first_byte) continue;
    const int64_t end = is_last ? layout.size : layout.offsets[i + 1];
    const std::string at =
        filled == 0 ? "m->state" : AddressOf("m->state", absl::StrCat(filled, "u"));
    fills.push_back(TemplateValue::Dict{{"at", at},
                                        {"byte", absl::StrCat(int{variable.first_byte})},
                                        {"bytes", absl::StrCat(end - filled, "u")}});
    filled = end;
  }
  view["state"] = std::move(variables);
  view["state_fills"] = std::move(fills);
  view["state_size"] = absl::StrCat(layout.size);
  view["state_align"] = absl::StrCat(model.target.ram_align);
}

}  // namespace lathe::emit
