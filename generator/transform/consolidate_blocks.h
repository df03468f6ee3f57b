// Removes empty blocks and merges adjacent blocks of the same kind, as verify_graph requires.
#ifndef LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_
#define LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Changes the blocks of `body`, not those of nested bodies.
void ConsolidateBlocks(ir::Body& body);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_
