// Prints loops in which teams of threads share the rows of a grid. A team is a fixed number of
// threads of a warp or a whole block.
#ifndef LATHE_EMIT_CUDA_PRINT_TEAMS_H_
#define LATHE_EMIT_CUDA_PRINT_TEAMS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the loop over the rows of `axes`; `row` prints its body. Without axes there is one row and
// one team, and no loop. A team of more threads than a warp is a block. Returns the head of the
// kernel and its launch configuration.
absl::StatusOr<GridText> PrintTeams(CScope& scope, const std::vector<ir::GridAxis>& axes, int team,
                                    absl::FunctionRef<absl::Status()> row, LineWriter& out);

// Prints the loop for blocks that process `rows.across` adjacent rows at a time, each by one team.
// `row` prints the body; `rows.thread` is bound to the thread number in its team. Returns the head
// of the kernel and its launch configuration.
absl::StatusOr<GridText> PrintColumns(CScope& scope, const ir::TeamRows& rows,
                                      absl::FunctionRef<absl::Status()> row, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TEAMS_H_
