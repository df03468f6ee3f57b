// Builds the code of the threads of a team for a group of rows: the distribution of elements and
// the values kept in registers.
#ifndef LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_
#define LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

// Returns the code of a team for `group`. A row of constant length is loaded once if its elements
// fit into registers. Longer rows and rows of dynamic length are loaded again in each pass.
ir::TeamRows BuildRows(ir::Context& context, const RowGroup& group);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_
