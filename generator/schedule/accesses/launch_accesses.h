// Computes the memory accesses of GPU launches.
//
// Loops of grids and teams access what their statements access; threads without an element do
// nothing. In addition:
// - a wide stride reads and writes `width` neighbors, all within its last axis;
// - a product and an attention read their factors for all lines and the whole depth, and nothing
//   beyond; tensor maps read what they are declared to cover.
//
// Launches of PrimFuncs with thread bindings are not analyzed.
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
