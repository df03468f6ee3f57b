// Prints intrinsics as C.
#ifndef LATHE_EMIT_C_PRINT_C_INTRINSIC_H_
#define LATHE_EMIT_C_PRINT_C_INTRINSIC_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"

namespace lathe::emit {

// Prints the intrinsic `n`, the node of `e`: a mathematical function or another intrinsic.
absl::StatusOr<CText> PrintCIntrinsic(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_INTRINSIC_H_
