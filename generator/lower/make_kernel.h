// A PrimFunc as a kernel: what it must be given, sizes and scratch memory included.
#ifndef LATHE_LOWER_MAKE_KERNEL_H_
#define LATHE_LOWER_MAKE_KERNEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// What a kernel allocates for itself beyond this many bytes lies in the arena, not on the stack.
inline constexpr int64_t kMostLocalBytes = 256;

// One whose size is no number is not: C99 would make it a variable-length array.
bool IsSmall(const ir::Buffer& buffer);

// Fails, saying why, when the function takes bare pointers. What it returns nobody has.
absl::StatusOr<ir::Kernel> MakeKernel(std::string name, const ir::PrimFunc& func,
                                      std::string origin);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MAKE_KERNEL_H_
