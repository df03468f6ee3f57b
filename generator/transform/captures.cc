#include "generator/transform/captures.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/erase.h"
#include "generator/ir/each_body.h"
#include "generator/ir/mentions.h"
#include "generator/transform/count_uses.h"

namespace lathe::transform {
namespace {

std::vector<ir::ValueId> CapturedValues(const ir::Module& module, const ir::Function& f,
                                        ir::ValueId self) {
  absl::flat_hash_set<ir::ValueId> own = {self};
  own.insert(f.params.begin(), f.params.end());
  ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
    own.insert(binding.var);
    if (const auto* inner = std::get_if<ir::Function>(&binding.rhs)) {
      own.insert(inner->params.begin(), inner->params.end());
    }
  });
  std::vector<ir::ValueId> captured;
  const auto use = [&](ir::ValueId id) {
    if (own.insert(id).second) captured.push_back(id);
  };
  for (const ir::Block& block : f.body.blocks) {
    for (const ir::Binding& binding : block.bindings) ForEachUse(module, binding, use);
  }
  ForEachUse(f.body.result, use);
  return captured;
}

}  // namespace

Captures CapturesOf(ir::Context& context, const ir::Module& module, const ir::Function& f,
                    ir::ValueId self, const analysis::ShapeScope& around) {
  Captures captures;
  captures.values = CapturedValues(module, f, self);
  absl::flat_hash_set<ir::PrimRef> used, bound;
  const auto use = [&](ir::PrimRef var) {
    if (around.Has(var) && used.insert(var).second) captures.shape_vars.push_back(var);
  };
  const auto has_value = [](ir::ValueId) { return false; };
  const auto has_shape_var = [&](ir::PrimRef var) { return around.Has(var); };
  for (ir::ValueId id : captures.values) {
    ir::StructInfoRef known = analysis::KnownInfo(context, module, ir::Operand{id});
    captures.infos.push_back(
        analysis::EraseToWellDefined(context, known, {has_value, has_shape_var}));
    for (ir::PrimRef var : analysis::BindingVars(captures.infos.back())) bound.insert(var);
    for (ir::PrimRef var : analysis::FreeVars(captures.infos.back())) use(var);
  }
  const ir::Mentions mentions = ir::MentionsOf(module, f, /*with_info=*/false);
  for (const auto& [function, declared] : mentions.declarations) {
    for (ir::PrimRef var : declared.signature) use(var);
    for (ir::PrimRef var : declared.body) use(var);
  }
  // Sorted, because the declarations are in a hash table.
  std::sort(captures.shape_vars.begin(), captures.shape_vars.end(), [](auto a, auto b) {
    return a->template As<ir::SymVar>()->id < b->template As<ir::SymVar>()->id;
  });
  for (ir::PrimRef var : captures.shape_vars) {
    if (!bound.contains(var)) captures.unbound_shape_vars.push_back(var);
  }
  return captures;
}

}  // namespace lathe::transform
