// Grids whose threads take neighbouring elements in turns, in accesses of 16 bytes.
#ifndef LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_
#define LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintWideStride(CScope& scope, const ir::WideStride& wide,
                                         LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_WIDE_STRIDE_H_
