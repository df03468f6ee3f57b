// Elaborates the statements of a PrimFunc.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STMT_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STMT_H_

#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits `stmt`. Errors are reported in the diagnostics, and elaboration continues with the next
// statement.
void ElaborateStmt(StmtElaborator& s, const ast::Stmt& stmt);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STMT_H_
