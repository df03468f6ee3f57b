// Prints kernels in which teams of threads cooperate on rows. A team is a fixed number of threads
// of a warp or a whole block.
#ifndef LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_
#define LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
// Fails if an expression cannot be printed as C.
absl::StatusOr<GridText> PrintTeamRows(CScope& scope, const ir::TeamRows& rows, LineWriter& out);

// Returns the runtime's type for a reduction operator: "lathe_fold_sum".
const char* FoldName(ir::Fold fold);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TEAM_ROWS_H_
