// Assignments: y = R.add(x, x), a, b = t, n = T.int64(), cls = Module, x += y.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Binds what is assigned; after an error the names are known all the same.
void ElaborateAssign(Frame& frame, const ast::Assign& assign);
void ElaborateAnnAssign(Frame& frame, const ast::Stmt& s, const ast::AnnAssign& assign);
void ElaborateAugAssign(Frame& frame, const ast::Stmt& s, const ast::AugAssign& assign);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ASSIGN_H_
