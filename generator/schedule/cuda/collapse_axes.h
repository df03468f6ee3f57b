// Collapses axes of a product that are contiguous in all its accesses: the rows of a batch of
// matrices, the pixels of all lines.
#ifndef LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_
#define LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Collapses the axes of `product`. The axes of each factor must be contiguous in its loads, the
// rows and columns also in the stores.
void CollapseAxes(ir::Context& context, ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_COLLAPSE_AXES_H_
