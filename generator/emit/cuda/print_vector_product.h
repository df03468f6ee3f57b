// Prints kernels for products of a matrix and few vectors, from
// templates/cuda/vector_product.cu.tmpl. They call lathe/cuda_vectors.h.
#ifndef LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_
#define LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
absl::StatusOr<GridText> PrintVectorProduct(CScope& scope, const ir::VectorProduct& vectors,
                                            LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_VECTOR_PRODUCT_H_
