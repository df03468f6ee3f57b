// Statements of a kernel as C.
#ifndef LATHE_EMIT_C_PRINT_C_STMT_H_
#define LATHE_EMIT_C_PRINT_C_STMT_H_

#include "absl/status/status.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/tir.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the lines of `stmt` to `out`. Fails, naming it, on a statement that is not printed yet.
// `status`: the kernel returns one.
absl::Status PrintCStmt(CScope& scope, ir::StmtRef stmt, bool status, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_STMT_H_
