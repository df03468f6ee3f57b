// Prints the loops of a tile that add up its products.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_TILE_SUMS_H_
#define LATHE_EMIT_C_KERNEL_PRINT_TILE_SUMS_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/tiled_sum_text.h"

namespace lathe::emit {

// The names of the pointers to the factors of the tile.
struct TileFactors {
  std::string by_row;
  std::string panel;
  std::string scales;   // of a panel of integers; empty: the panel is float32
  std::string vectors;  // the number of vectors in a row
};

absl::StatusOr<std::string> PrintTileSums(const TiledSumText& text, TileFactors factors);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_TILE_SUMS_H_
