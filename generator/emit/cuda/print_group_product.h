// A TiledProduct by groups of warps, as its GroupProduct says, in CUDA for Hopper.
#ifndef LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Lines of a kernel beside the one of the tiles that serve all sizes and addresses: `product` has
// groups.
absl::StatusOr<GridText> PrintGroupProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_GROUP_PRODUCT_H_
