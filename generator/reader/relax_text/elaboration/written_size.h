// Measures the tree size of scalar expressions whose subexpressions may be shared.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_

#include "generator/ir/prim_expr.h"

namespace lathe::relax_text {

// Returns the number of nodes of `e` as a tree: a shared node counts once for each use. Stops at
// the first count above `limit` and returns `limit` + 1.
int WrittenSize(ir::PrimRef e, int limit);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_WRITTEN_SIZE_H_
