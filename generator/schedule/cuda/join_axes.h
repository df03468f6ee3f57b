// Axes of a product that are one, wherever it reads and stores: the rows of a batch of matrices,
// the pixels of all lines.
#ifndef LATHE_SCHEDULE_CUDA_JOIN_AXES_H_
#define LATHE_SCHEDULE_CUDA_JOIN_AXES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Those of each factor by what it reads, the rows and columns by what is stored.
void JoinAxes(ir::Context& context, ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_JOIN_AXES_H_
