// Calls of functions that are no intrinsics.
#ifndef LATHE_EMIT_C_PRINT_C_CALL_H_
#define LATHE_EMIT_C_PRINT_C_CALL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/ir/tir.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The function of this file that `n` calls; null where it calls none.
const CCallee* CalleeOf(const CNeeds& needs, const ir::Intrinsic& n);

// A call of that, or of one that the user links.
absl::StatusOr<CText> PrintCCall(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n);

// The same as a statement: a status ends the function that it stands in.
absl::Status PrintCCallStmt(CScope& scope, ir::PrimRef e, const ir::Intrinsic& n, LineWriter& out);

// A variable that holds what a call gives.
absl::Status PrintCCallLet(CScope& scope, const ir::LetStmt& let, const ir::Intrinsic& n,
                           LineWriter& out);

// The line, or lines, that end the function with the status `status`.
void PrintCFailure(const CScope& scope, absl::string_view status, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_CALL_H_
