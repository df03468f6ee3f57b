// Converts a PrimFunc to a kernel with explicit arguments for sizes and scratch memory.
#ifndef LATHE_LOWER_MAKE_KERNEL_H_
#define LATHE_LOWER_MAKE_KERNEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Kernel allocations above this many bytes are placed in the arena, not on the stack.
inline constexpr int64_t kMaxLocalBytes = 256;

// Returns whether the buffer's size is a constant of at most kMaxLocalBytes. Others would be
// variable-length arrays in C99.
bool IsSmall(const ir::Buffer& buffer);

// Returns the kernel of `func`, with the description `origin`. Its arguments are the buffers and
// scalars of `func`, the variables in their sizes, and the local buffers that are not small. Fails
// with the reason if `func` takes bare pointers, or if the size of such a local buffer depends on
// values that `func` computes.
absl::StatusOr<ir::Kernel> MakeKernel(std::string name, const ir::PrimFunc& func,
                                      std::string origin);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MAKE_KERNEL_H_
