// Prints grid-stride kernels: the threads of a grid share the points of the loop axes.
#ifndef LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_
#define LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
// `fails`: the body may end the thread with an error.
absl::StatusOr<GridText> PrintGridStride(CScope& scope, const ir::GridStride& grid, bool fails,
                                         LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_
