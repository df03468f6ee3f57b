// Launches as the program bound its loops to blocks and threads.
#ifndef LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
#define LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_

#include "absl/status/statusor.h"
#include "generator/emit/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintBoundThreads(CScope& scope, const ir::BoundThreads& bound, bool fails,
                                           LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
