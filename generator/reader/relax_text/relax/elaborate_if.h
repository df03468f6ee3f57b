// An if: both branches end by binding the same name, which is bound after it to what either gave.
//
//   if c:                                y = If(c, {y1 = R.add(x, x); y1}, {y2 = R.exp(x); y2})
//       y = R.add(x, x)
//   else:
//       y = R.exp(x)
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

void ElaborateIf(Frame& frame, const ast::Stmt& s, const ast::If& branch);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_IF_H_
