// Prints calls of external functions and of PrimFuncs of the module.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_CALL_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_CALL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/tir.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Returns the PrimFunc that `n` calls, or null if `n` does not call one.
const CCallee* CalleeOf(const CNeeds& needs, const ir::Intrinsic& n);

// Prints the call `n` of a PrimFunc or of an external function as an expression. Fails if the
// function returns a status, or a value of another dtype than `e`.
absl::StatusOr<CText> PrintCCall(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n);

// Prints the call `n` as a statement. If the function returns a status, a failure ends the
// enclosing function.
absl::Status PrintCCallStmt(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n, LineWriter& out);

// Prints the declaration of the variable of `let`, which holds the result of the call `n`.
absl::Status PrintCCallLet(CScope& scope, const ir::LetStmt& let, const ir::Intrinsic& n,
                           LineWriter& out);

// Prints the lines that end the function with the failure `status`: a return of the status, or a
// record of it in scope.failed and a return.
void PrintCFailure(const CScope& scope, absl::string_view status, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_CALL_H_
