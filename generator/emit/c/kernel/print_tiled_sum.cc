#include "generator/emit/c/kernel/print_tiled_sum.h"

#include "generator/emit/c/kernel/print_tile.h"
#include "generator/emit/c/kernel/print_tile_loops.h"
#include "generator/emit/c/kernel/tiled_sum_text.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<std::string> PrintTiledSum(CScope& scope, const ir::TiledSum& sum, int lanes,
                                          const KernelParams& params, const std::string& kernel,
                                          const std::string& name, LineWriter& out) {
  TiledSumText text(scope, sum, lanes, params, kernel, name);
  LATHE_ASSIGN_OR_RETURN(std::string tile, PrintTile(text));
  LATHE_RETURN_IF_ERROR(PrintTileLoops(text, out));
  return tile;
}

}  // namespace lathe::emit
