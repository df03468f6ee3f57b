// Prints grid-stride kernels whose threads read, compute and write several contiguous elements at
// once.
#ifndef LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_
#define LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
// Fails if an expression cannot be printed as C.
absl::StatusOr<GridText> PrintWideStride(CScope& scope, const ir::WideStride& wide,
                                         LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_
