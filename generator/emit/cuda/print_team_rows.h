// Grids whose teams of threads take rows in turns.
#ifndef LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_
#define LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintTeamRows(CScope& scope, const ir::TeamRows& rows, LineWriter& out);

// "lathe_fold_sum"
const char* FoldName(ir::Fold fold);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_
