// Prints kernels for matrix products by warpgroups (wgmma) and the tensor memory accelerator of
// Hopper GPUs.
#ifndef LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configurations.
// `product` must have `groups`. The kernel does not support all sizes and addresses, so
// PrintTiledProduct prints another one for the rest.
absl::StatusOr<GridText> PrintGroupProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_
