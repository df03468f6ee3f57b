// Prints sizes as expressions of the host, which computes grid sizes from them.
#ifndef LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_
#define LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns `size` as a 64-bit C expression of the kernel's parameters. Variables that the kernel
// declares for sizes are not used, because the host does not have them.
absl::StatusOr<std::string> PrintHostSize(const CScope& scope, ir::PrimRef size);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_
