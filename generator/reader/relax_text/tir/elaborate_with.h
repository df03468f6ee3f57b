// Elaborates with statements: blocks, init, and the frames of elaborate_tir_frame.h.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_WITH_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_WITH_H_

#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits `with`, which is the node of `stmt`. Reports errors in the diagnostics.
void ElaborateWith(StmtElaborator& s, const ast::Stmt& stmt, const ast::With& with);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_WITH_H_
