// Expressions as statements: T.evaluate(...), T.func_attr(...), calls for their effect.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_

#include "absl/status/status.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

void ElaborateCallStmt(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);

// What an assertion says: "text", or ("ValueError", ["text", "text"]).
absl::Status ElaborateAssertMessage(StmtElaborator& s, const ast::Expr& e, ir::AssertStmt& out);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_CALL_STMT_H_
