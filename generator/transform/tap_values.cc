#include "generator/transform/tap_values.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/state.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/result_fields.h"

namespace lathe::transform {
namespace {

absl::StatusOr<ir::ValueId> FindTensor(const ir::Module& module, const ir::Body& body,
                                       const std::string& name) {
  std::optional<ir::ValueId> found;
  std::vector<absl::string_view> tensors;
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      const ir::Value& value = module.values[binding.var];
      const bool is_tensor = value.info != nullptr && value.info->As<ir::TensorInfo>() != nullptr;
      if (is_tensor) tensors.push_back(value.name);
      if (value.name != name) continue;
      if (!is_tensor) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the value '", name, "' is ", value.info == nullptr ? "unknown" : ToString(value.info),
            "; a tap is a tensor"));
      }
      if (found) {
        return absl::InvalidArgumentError(absl::StrCat("several values are called '", name, "'"));
      }
      found = binding.var;
    }
  }
  if (found) return *found;
  return absl::InvalidArgumentError(
      absl::StrCat("no value is called '", name,
                   "', as 'lathe inspect' and the steps of 'lathe analyze' name them",
                   DidYouMean(name, tensors)));
}

}  // namespace

absl::Status TapValues(ir::Context& context, ir::Module& module, ir::GlobalId function,
                       const std::vector<std::string>& names, Diagnostics& diags) {
  ir::Function& f = *module.globals[function].function();
  if (IsUsed(module, function)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the program calls '", module.globals[function].name, "', so its result cannot change"));
  }
  std::vector<ir::Operand> fields = ResultFields(f.body);
  const size_t state = ir::FirstBytesOfState(f).size();  // the last results
  if (fields.size() < state) {
    return absl::InvalidArgumentError("the state is not among the results of the function");
  }
  absl::flat_hash_set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat("'", name, "' is tapped twice"));
    }
    LATHE_ASSIGN_OR_RETURN(const ir::ValueId value, FindTensor(module, f.body, name));
    fields.insert(fields.end() - static_cast<std::ptrdiff_t>(state), {value});
    // lower/declare_ports.h: a list of each result, without the state.
    for (const char* described : {"scales", "labels"}) {
      const auto found = f.attrs.find(described);
      auto* list =
          found == f.attrs.end() ? nullptr : std::get_if<ir::AttrList>(&found->second.node);
      if (list != nullptr) list->emplace_back();
    }
  }
  f.body.result = {ir::TupleExpr{std::move(fields)}};
  f.ret = nullptr;
  MarkDataflowVars(module);
  RederiveInfo(context, module, diags);
  return absl::OkStatus();
}

}  // namespace lathe::transform
