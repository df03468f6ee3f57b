// Elaborates for loops: range, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding,
// T.grid.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_LOOP_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_LOOP_H_

#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits `loop`, which is the node of `stmt`. Reports errors in the diagnostics.
void ElaborateLoop(StmtElaborator& s, const ast::Stmt& stmt, const ast::For& loop);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_LOOP_H_
