// Prints intrinsics as C.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_INTRINSIC_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_INTRINSIC_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Prints the intrinsic `n`, the node of `e`: a mathematical function or another intrinsic.
absl::StatusOr<CText> PrintCIntrinsic(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_INTRINSIC_H_
