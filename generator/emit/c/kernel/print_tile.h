// Prints the function that computes one tile of a tiled sum.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_TILE_H_
#define LATHE_EMIT_C_KERNEL_PRINT_TILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/tiled_sum_text.h"

namespace lathe::emit {

// Returns the text of the function. Records in `text` the parameters that the function needs.
absl::StatusOr<std::string> PrintTile(TiledSumText& text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_TILE_H_
