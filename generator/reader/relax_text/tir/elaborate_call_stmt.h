// Elaborates expression statements: T.evaluate(...), T.func_attr(...), and calls with side effects.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_

#include "absl/status/status.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits the statement `stmt`, which consists of the expression `e`. Emits nothing for a string,
// None or an ellipsis. Reports errors in the diagnostics.
void ElaborateCallStmt(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);

// Sets the kind and message of `out` from `e`: "text", or ("ValueError", ["text", "text"]).
absl::Status ElaborateAssertMessage(StmtElaborator& s, const ast::Expr& e, ir::AssertStmt& out);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_
