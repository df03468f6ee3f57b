// Prints the statements of a kernel as C.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_STMT_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_STMT_H_

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/tir.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the lines of `stmt` to `out`. `status` is true if the function returns a status. Fails if
// a statement cannot be printed as C; the message names it.
absl::Status PrintCStmt(CScope& scope, ir::StmtRef stmt, bool status, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_STMT_H_
