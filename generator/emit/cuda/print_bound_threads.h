// Launches as the program bound its loops to blocks and threads.
#ifndef LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
#define LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The body of the kernel goes to `out`.
absl::StatusOr<GridText> PrintBoundThreads(CScope& scope, const ir::BoundThreads& bound, bool fails,
                                           LineWriter& out);

// The memory whose address an instruction takes: it has to begin at a multiple of 16 bytes.
absl::flat_hash_set<ir::PrimRef> MemoryOfInstructions(ir::StmtRef body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
