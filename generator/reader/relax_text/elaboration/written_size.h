// How large a scalar is when everything it shares is written out.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_

#include "generator/ir/prim_expr.h"

namespace lathe::relax_text {

// How many nodes `e` has when it is written out, as far as that is at most `limit`. Shared parts
// count as often as they are used.
int WrittenSize(ir::PrimRef e, int limit);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_
