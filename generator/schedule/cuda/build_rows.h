// Rows as what the threads of a team do: who takes which elements, what stays in registers.
#ifndef LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_
#define LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

// Rows whose length is a number are read once where registers hold what a thread takes of them;
// longer ones, and those whose length only the run knows, are read anew by each pass.
ir::TeamRows BuildRows(ir::Context& context, const RowGroup& group);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BUILD_ROWS_H_
