#include "generator/transform/remove_unused_parameters.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/each_body.h"
#include "generator/ir/mentions.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/used_as_values.h"

namespace lathe::transform {
namespace {

using Kept = IdVector<ir::GlobalId, std::vector<char>>;  // by position; empty: all

// True when `f` uses shape variables of its parameter `id` that nothing else binds.
bool BindsUsedShapeVars(const ir::Module& module, const ir::Function& f, ir::ValueId id) {
  ir::StructInfoRef info = module.values[id].annotation;
  if (info == nullptr) return false;
  ir::Function without = f;
  without.params.erase(std::find(without.params.begin(), without.params.end(), id));
  absl::flat_hash_set<ir::PrimRef> bound;
  for (ir::ValueId other : without.params) {
    if (module.values[other].annotation == nullptr) continue;
    for (ir::PrimRef var : analysis::BindingVars(module.values[other].annotation)) {
      bound.insert(var);
    }
  }
  const ir::Mentions mentions = ir::MentionsOf(module, without, /*with_info=*/false);
  for (ir::PrimRef var : analysis::BindingVars(info)) {
    if (!bound.contains(var) && mentions.symbols.contains(var->As<ir::SymVar>()->id)) return true;
  }
  return false;
}

}  // namespace

void RemoveUnusedParameters(ir::Context&, ir::Module& module) {
  if (module.loose) return;
  const Uses uses = CountUses(module);
  const IdVector<ir::GlobalId, char> values = UsedAsValues(module);
  Kept kept(module.globals.size());
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    ir::Function* f = module.globals[id].function();
    if (f == nullptr || ir::IsExported(module.globals[id]) || values[id]) continue;
    const std::vector<ir::ValueId> params = f->params;
    for (ir::ValueId param : params) {
      const bool stays = uses[param] > 0 || BindsUsedShapeVars(module, *f, param);
      kept[id].push_back(stays);
      if (!stays) f->params.erase(std::find(f->params.begin(), f->params.end(), param));
    }
  }
  ForEachFunction(module, [&](ir::Function& f) {
    ForEachBinding(f.body, [&](ir::Block&, ir::Binding& binding) {
      auto* call = std::get_if<ir::Call>(&binding.rhs);
      const auto* id = call == nullptr ? nullptr : std::get_if<ir::GlobalId>(&call->callee);
      if (id == nullptr || kept[*id].size() != call->args.size()) return;
      std::vector<ir::Operand> args;
      for (size_t i = 0; i < call->args.size(); ++i) {
        if (kept[*id][i]) args.push_back(std::move(call->args[i]));
      }
      call->args = std::move(args);
    });
  });
}

}  // namespace lathe::transform
