// Elaborates assignments: y = R.add(x, x), a, b = t, n = T.int64(), cls = Module, x += y.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Bind the targets to the assigned values. After an error, the targets are declared as failed.
void ElaborateAssign(Frame& frame, const ast::Assign& assign);
void ElaborateAnnAssign(Frame& frame, const ast::Stmt& s, const ast::AnnAssign& assign);
void ElaborateAugAssign(Frame& frame, const ast::Stmt& s, const ast::AugAssign& assign);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_
