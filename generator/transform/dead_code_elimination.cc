#include "generator/transform/dead_code_elimination.h"

#include <algorithm>

#include "generator/ir/each_body.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/effects.h"
#include "generator/transform/remove_globals.h"

namespace lathe::transform {
namespace {

// Visits bindings from last to first, so that operands of removed bindings are removed too.
class Sweep {
 public:
  Sweep(ir::Context& context, ir::Module& module)
      : context_(context), module_(module), uses_(CountUses(module)) {}

  void In(ir::Body& body) {
    for (auto block = body.blocks.rbegin(); block != body.blocks.rend(); ++block) {
      std::vector<ir::Binding> kept;
      for (auto binding = block->bindings.rbegin(); binding != block->bindings.rend(); ++binding) {
        if (IsDead(*binding)) {
          ForEachUse(module_, *binding, [&](ir::ValueId id) { --uses_[id]; });
          continue;
        }
        ForEachBody(binding->rhs, [&](ir::Body& inner) { In(inner); });
        kept.push_back(std::move(*binding));
      }
      std::reverse(kept.begin(), kept.end());
      block->bindings = std::move(kept);
    }
    ConsolidateBlocks(body);
  }

 private:
  bool IsDead(const ir::Binding& binding) {
    if (std::holds_alternative<ir::MatchCast>(binding.rhs)) return false;
    int uses = uses_[binding.var];
    if (std::holds_alternative<ir::Function>(binding.rhs) && uses > 0) {
      // Recursive calls do not keep a function.
      ForEachUse(module_, binding, [&](ir::ValueId id) { uses -= id == binding.var ? 1 : 0; });
    }
    return uses == 0 && !HasEffect(context_, module_, binding.rhs);
  }

  ir::Context& context_;
  ir::Module& module_;
  Uses uses_;
};

}  // namespace

void DeadCodeElimination(ir::Context& context, ir::Module& module) {
  RemoveUnreachableGlobals(module);
  Sweep sweep(context, module);
  ForEachFunction(module, [&](ir::Function& f) { sweep.In(f.body); });
  RemoveUnreachableGlobals(module);
}

}  // namespace lathe::transform
