#include "generator/transform/to_non_dataflow.h"

#include "generator/ir/each_body.h"
#include "generator/transform/consolidate_blocks.h"

namespace lathe::transform {
namespace {

void In(ir::Module& module, ir::Body& body) {
  for (ir::Block& block : body.blocks) {
    block.dataflow = false;
    for (ir::Binding& binding : block.bindings) {
      module.values[binding.var].dataflow = false;
      ForEachBody(binding.rhs, [&](ir::Body& inner) { In(module, inner); });
    }
  }
  ConsolidateBlocks(body);
}

}  // namespace

void ToNonDataflow(ir::Module& module) {
  ForEachFunction(module, [&](ir::Function& f) { In(module, f.body); });
}

}  // namespace lathe::transform
