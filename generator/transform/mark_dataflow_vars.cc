#include "generator/transform/mark_dataflow_vars.h"

#include "absl/container/flat_hash_map.h"
#include "generator/ir/each_body.h"
#include "generator/transform/count_uses.h"

namespace lathe::transform {
namespace {

class DataflowMarking {
 public:
  explicit DataflowMarking(ir::Module& module) : module_(module), uses_(CountUses(module)) {}

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      if (block.dataflow) In(block);
      for (const ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](const ir::Body& inner) { In(inner); });
      }
    }
  }

 private:
  void In(const ir::Block& block) {
    absl::flat_hash_map<ir::ValueId, int> inside;
    for (const ir::Binding& binding : block.bindings) {
      // A local function may run after the block has ended.
      if (std::holds_alternative<ir::Function>(binding.rhs)) continue;
      ForEachUse(module_, binding, [&](ir::ValueId id) { ++inside[id]; });
    }
    for (const ir::Binding& binding : block.bindings) {
      module_.values[binding.var].dataflow = uses_[binding.var] == inside[binding.var];
    }
  }

  ir::Module& module_;
  const Uses uses_;
};

}  // namespace

void MarkDataflowVars(ir::Module& module) {
  DataflowMarking marking(module);
  ForEachFunction(module, [&](const ir::Function& f) { marking.In(f.body); });
}

}  // namespace lathe::transform
