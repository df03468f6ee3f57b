// Blocks as verify_graph wants them: none empty, no two alike in a row.
#ifndef LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_
#define LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Of `body` itself, not of the bodies inside. Two dataflow blocks in a row become one.
void ConsolidateBlocks(ir::Body& body);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CONSOLIDATE_BLOCKS_H_
