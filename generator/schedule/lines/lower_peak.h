// Joins kernels over lines (join_lines.h) where that lowers the memory that a routine needs at
// once.
#ifndef LATHE_SCHEDULE_LINES_LOWER_PEAK_H_
#define LATHE_SCHEDULE_LINES_LOWER_PEAK_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/schedule/fuse/fusion.h"

namespace lathe::schedule {

// As long as joining a chain of kernels lowers the peak, and clearly so unless `joins` is kAll,
// joins the one that lowers it most. The peak is estimated from lifetimes: a result may share the
// memory of an input that nothing reads later.
void LowerPeak(ir::Context& context, ir::Program& program, LayerJoins joins);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_LINES_LOWER_PEAK_H_
