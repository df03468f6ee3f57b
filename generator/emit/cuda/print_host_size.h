// How large a grid is, for the host that enqueues it.
#ifndef LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_
#define LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// A number of elements or blocks, 64 bits wide: the host has the kernel's parameters and none of
// the names that stand for sizes inside it.
absl::StatusOr<std::string> PrintHostSize(const CScope& scope, ir::PrimRef size);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_HOST_SIZE_H_
