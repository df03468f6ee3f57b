// Prints kernels for tiled matrix products, from templates/cuda/tiled_product.cu.tmpl. They call
// lathe/cuda_tiles.h or, with tensor cores, lathe/cuda_mma_tiles.h.
#ifndef LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configurations,
// one for each tile.
absl::StatusOr<GridText> PrintTiledProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_
