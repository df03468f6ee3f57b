#include "generator/transform/copy_body.h"

#include <algorithm>
#include <vector>

#include "generator/ir/each_body.h"
#include "generator/ir/mentions.h"

namespace lathe::transform {
namespace {

ir::ValueId Renamed(ir::Module& module, ir::ValueId id, Replacement& replacement) {
  const ir::ValueId copy = module.values.Add(ir::Value(module.values[id]));
  replacement.Set(id, ir::Operand{copy});
  return copy;
}

void RenameBound(ir::Module& module, ir::Body& body, Replacement& replacement) {
  ForEachBinding(body, [&](ir::Block&, ir::Binding& binding) {
    binding.var = Renamed(module, binding.var, replacement);
    if (auto* inner = std::get_if<ir::Function>(&binding.rhs)) {
      for (ir::ValueId& param : inner->params) param = Renamed(module, param, replacement);
    }
  });
}

}  // namespace

void RenameShapeVars(ir::Context& context, const ir::Module& module, const ir::Function& f,
                     Replacement& outside) {
  const ir::Mentions mentions = ir::MentionsOf(module, f, /*with_info=*/true);
  std::vector<ir::PrimRef> vars;
  for (const auto& [function, declared] : mentions.declarations) {
    vars.insert(vars.end(), declared.signature.begin(), declared.signature.end());
    vars.insert(vars.end(), declared.body.begin(), declared.body.end());
  }
  // Sorted, because the declarations are in a hash table: new variables need a fixed order.
  const auto id = [](ir::PrimRef var) { return var->As<ir::SymVar>()->id; };
  std::sort(vars.begin(), vars.end(), [&](auto a, auto b) { return id(a) < id(b); });
  for (ir::PrimRef var : vars) {
    if (outside.In(var) != var) continue;
    outside.Set(var, context.NewVarLike(var));
  }
}

ir::Body CopyBody(ir::Context& context, ir::Module& module, const ir::Function& f,
                  Replacement& outside) {
  RenameShapeVars(context, module, f, outside);
  ir::Body body = f.body;
  RenameBound(module, body, outside);
  outside.In(body);
  return body;
}

}  // namespace lathe::transform
