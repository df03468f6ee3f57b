// Collapses axes of a product that are contiguous in all its accesses: the rows of a batch of
// matrices, the pixels of all lines.
#ifndef LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_
#define LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Collapses neighboring axes of `product` where this is possible: lines and depth of a factor if
// they are contiguous in its loads, rows and columns if they are in the stores, and batch axes if
// they are in all of these.
void CollapseAxes(ir::Context& context, ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_
