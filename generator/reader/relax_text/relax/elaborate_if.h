// Elaborates if statements. Both branches must end by binding the same name; after the if, the name
// is bound to the result of the If node. Branches may also both end in a call whose result is
// unused.
//
//   if c:                                y = If(c, {y1 = R.add(x, x); y1}, {y2 = R.exp(x); y2})
//       y = R.add(x, x)
//   else:
//       y = R.exp(x)
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Appends the binding of `branch` to frame.body. `s` is the statement of `branch`.
void ElaborateIf(Frame& frame, const ast::Stmt& s, const ast::If& branch);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_
