// Prints the loops over all tiles of a tiled sum, and the packing of its panels.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_TILE_LOOPS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_TILE_LOOPS_H_

#include "absl/status/status.h"
#include "generator/emit/c/kernel/tiled_sum_text.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the loops to `out`. Requires that PrintTile() has recorded the parameters of the tile.
absl::Status PrintTileLoops(const TiledSumText& text, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_TILE_LOOPS_H_
