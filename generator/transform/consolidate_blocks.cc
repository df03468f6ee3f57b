#include "generator/transform/consolidate_blocks.h"

#include <iterator>
#include <utility>

namespace lathe::transform {

void ConsolidateBlocks(ir::Body& body) {
  std::vector<ir::Block> blocks;
  for (ir::Block& block : body.blocks) {
    if (block.bindings.empty()) continue;
    if (blocks.empty() || blocks.back().dataflow != block.dataflow) {
      blocks.push_back(std::move(block));
      continue;
    }
    std::vector<ir::Binding>& before = blocks.back().bindings;
    before.insert(before.end(), std::make_move_iterator(block.bindings.begin()),
                  std::make_move_iterator(block.bindings.end()));
  }
  body.blocks = std::move(blocks);
}

}  // namespace lathe::transform
