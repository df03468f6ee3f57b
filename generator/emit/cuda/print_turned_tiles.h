// Grids whose blocks transpose by way of tiles of shared memory.
#ifndef LATHE_EMIT_CUDA_PRINT_TURNED_TILES_H_
#define LATHE_EMIT_CUDA_PRINT_TURNED_TILES_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintTurnedTiles(CScope& scope, const ir::TransposeTiles& tiles,
                                          LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TURNED_TILES_H_
