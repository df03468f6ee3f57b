// Products of matrices in tiles (lathe/cuda_tiles.h), from templates/cuda/tiled_product.cu.tmpl.
#ifndef LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintTiledProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_TILED_PRODUCT_H_
