// Prints matrix operations of warps (ir/device/matrix_call.h) and asynchronous copies
// (ir/device/async_copy_call.h) as calls of runtime functions.
#ifndef LATHE_EMIT_CUDA_PRINT_MATRIX_CALL_H_
#define LATHE_EMIT_CUDA_PRINT_MATRIX_CALL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns the call `e`, which is `call`, as CUDA. Returns nullopt for other intrinsics.
absl::StatusOr<std::optional<CText>> PrintMatrixCall(CScope& scope, ir::PrimRef e,
                                                     const ir::Intrinsic& call);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_MATRIX_CALL_H_
