// Statements of a kernel as C.
#ifndef LATHE_EMIT_PRINT_C_STMT_H_
#define LATHE_EMIT_PRINT_C_STMT_H_

#include "absl/status/status.h"
#include "generator/emit/c_names.h"
#include "generator/emit/print_c_expr.h"
#include "generator/ir/tir.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the lines of `stmt` to `out`. Fails, naming it, on a statement that is not printed yet.
absl::Status PrintCStmt(CScope& scope, CNames& names, ir::StmtRef stmt, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_PRINT_C_STMT_H_
