#include "tests/compiled/callable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/rederive_info.h"

namespace lathe::compiled {
namespace {

ir::Value ValueOf(std::string name, ir::StructInfoRef info) {
  ir::Value value;
  value.name = std::move(name);
  value.annotation = info;
  return value;
}

// Nothing for a PrimFunc that takes what Relax has no values for, or no tensor.
void AddCaller(ir::Context& context, ir::Module& module, ir::GlobalId id,
               std::vector<std::string>& names) {
  const std::string name = absl::StrCat("call_", module.globals[id].name);
  if (module.Find(name)) return;
  const ir::StructInfoRef info = analysis::DerivePrimFunc(context, *module.globals[id].prim_func());
  const auto* func = info->As<ir::FuncInfo>();
  if (func == nullptr || !func->params) return;
  ir::Function caller;
  caller.pure = false;
  caller.attrs[ir::kGlobalSymbol] = ir::AttrValue(name);
  ir::Call call;
  call.callee = id;
  ir::TupleExpr tensors;
  for (ir::StructInfoRef param : *func->params) {
    if (param->As<ir::TensorInfo>() == nullptr && param->As<ir::PrimInfo>() == nullptr) return;
    caller.params.push_back(
        module.values.Add(ValueOf(absl::StrCat("p", caller.params.size()), param)));
    call.args.push_back(ir::Operand{caller.params.back()});
    if (param->As<ir::TensorInfo>() != nullptr) tensors.fields.push_back(call.args.back());
  }
  if (tensors.fields.empty()) return;
  ir::Block block;
  block.bindings.push_back({module.values.Add(ValueOf("_", nullptr)), std::move(call), {}});
  caller.body.blocks.push_back(std::move(block));
  caller.body.result = ir::Operand{std::move(tensors)};
  module.globals.Add({name, std::move(caller), {}});
  names.push_back(name);
}

}  // namespace

std::vector<std::string> MakeCallable(ir::Context& context, ir::Module& module) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    if (global.function() != nullptr && ir::IsExported(global)) names.push_back(global.name);
  }
  if (!names.empty()) return names;
  const int32_t count = static_cast<int32_t>(module.globals.size());
  for (int32_t i = 0; i < count; ++i) {
    if (module.globals[ir::GlobalId{i}].prim_func() == nullptr) continue;
    AddCaller(context, module, ir::GlobalId{i}, names);
  }
  Diagnostics diags;
  if (!names.empty()) transform::RederiveInfo(context, module, diags);
  return diags.has_errors() ? std::vector<std::string>() : names;
}

ir::Module Only(const ir::Module& module, const std::string& function) {
  ir::Module only = module;
  for (int32_t i = 0; i < std::ssize(only.globals); ++i) {
    ir::Global& global = only.globals[ir::GlobalId{i}];
    if (global.function() == nullptr || global.name == function) continue;
    global.function()->attrs.erase(ir::kGlobalSymbol);
  }
  return only;
}

}  // namespace lathe::compiled
