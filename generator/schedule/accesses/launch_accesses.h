// Which regions of their operands launches on a GPU touch.
//
// Loops of a grid and of teams touch what their statements do; threads without an element do
// nothing. Beyond that
// - a wide stride reads and writes `width` neighbours where all of them are on its last axis;
// - a product and an attention read what their factors are for all lines and all of the depth, and
//   nothing beyond the last of either; by maps of matrices, what those are declared to have.
#ifndef LATHE_SCHEDULE_ACCESSES_LAUNCH_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_LAUNCH_ACCESSES_H_

#include "generator/analysis/arithmetic/fact_stack.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {

void LaunchAccesses(ir::Context& context, const ir::GridLaunch& launch, analysis::FactStack& facts,
                    AccessWalk& walk);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_LAUNCH_ACCESSES_H_
