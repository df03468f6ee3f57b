// Grids of teams of threads, each of which takes rows in turns.
#ifndef LATHE_EMIT_CUDA_PRINT_TEAMS_H_
#define LATHE_EMIT_CUDA_PRINT_TEAMS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Around what `row` prints, for each row of `axes`; one row alone has one team. Beyond a warp a
// team is a block.
absl::StatusOr<GridText> PrintTeams(CScope& scope, const std::vector<ir::GridAxis>& axes, int team,
                                    absl::FunctionRef<absl::Status()> row, LineWriter& out);

// The same where a block has the teams of `across` neighbouring rows: around what `row` prints with
// `thread` bound to the number of a thread in its team.
absl::StatusOr<GridText> PrintColumns(CScope& scope, const ir::TeamRows& rows,
                                      absl::FunctionRef<absl::Status()> row, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TEAMS_H_
