#include "generator/transform/used_as_values.h"

#include "generator/ir/each_body.h"

namespace lathe::transform {
namespace {

void MarkValues(const ir::Operand& operand, IdVector<ir::GlobalId, char>& used) {
  ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
    if (const auto* id = leaf.As<ir::GlobalId>()) used[*id] = true;
  });
}

void MarkResults(const ir::Body& body, IdVector<ir::GlobalId, char>& used) {
  MarkValues(body.result, used);
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      ForEachBody(binding.rhs, [&](const ir::Body& inner) { MarkResults(inner, used); });
    }
  }
}

}  // namespace

IdVector<ir::GlobalId, char> UsedAsValues(const ir::Module& module) {
  IdVector<ir::GlobalId, char> used(module.globals.size(), false);
  ForEachFunction(module, [&](const ir::Function& f) {
    MarkResults(f.body, used);
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      ir::ForEachOperand(binding.rhs, [&](const ir::Operand& o) { MarkValues(o, used); });
    });
  });
  return used;
}

}  // namespace lathe::transform
