// Prints kernels whose loops the program itself binds to blocks and threads.
#ifndef LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
#define LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
// `fails` is true if the body may end the thread with an error. Returns an error for a block of
// more than 1024 threads, and if an expression cannot be printed as C.
absl::StatusOr<GridText> PrintBoundThreads(CScope& scope, const ir::BoundThreads& bound, bool fails,
                                           LineWriter& out);

// Returns the data pointers of the memory whose address is an operand of a matrix or copy
// instruction in `body`. This memory must be aligned to 16 bytes.
absl::flat_hash_set<ir::PrimRef> MemoryOfInstructions(ir::StmtRef body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_BOUND_THREADS_H_
