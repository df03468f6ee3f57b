// Prints arithmetic and casts as C.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_ARITHMETIC_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_ARITHMETIC_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Prints the binary operation `n`, the node of `e`, in the dtype of its operands.
absl::StatusOr<CText> PrintCBinary(CScope& scope, ir::PrimRef e, const ir::Binary& n);
// Prints the conversion of `value` to the dtype `to`.
absl::StatusOr<CText> PrintCCast(CScope& scope, ir::DType to, ir::PrimRef value);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_ARITHMETIC_H_
