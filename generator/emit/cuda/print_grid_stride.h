// Grids whose threads take elements in turns.
#ifndef LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_
#define LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c_scope.h"
#include "generator/ir/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// How a launch is enqueued: what the host passes for the grid, and for the block.
struct GridText {
  std::string blocks;   // of type int64_t, of the kernel's parameters
  std::string threads;  // of a block
};

// A number of elements or blocks for the host, which has the kernel's parameters and none of the
// names inside it. 64 bits wide.
absl::StatusOr<std::string> PrintHostSize(const CScope& scope, ir::PrimRef size);

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintGridStride(CScope& scope, const ir::GridStride& grid, bool fails,
                                         LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_GRID_STRIDE_H_
