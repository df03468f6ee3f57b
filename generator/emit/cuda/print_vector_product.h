// Products of a matrix and few vectors (lathe/cuda_vectors.h), from
// templates/cuda/vector_product.cu.tmpl.
#ifndef LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintVectorProduct(CScope& scope, const ir::VectorProduct& vectors,
                                            LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_
