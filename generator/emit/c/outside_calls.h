// Calls that do more than say a number.
#ifndef LATHE_EMIT_C_OUTSIDE_CALLS_H_
#define LATHE_EMIT_C_OUTSIDE_CALLS_H_

#include "generator/ir/prim_expr.h"

namespace lathe::emit {

// Whether `e` calls functions, from outside or of the module, or has a part in what the threads of
// a GPU do together.
bool DoesMore(ir::PrimRef e);
// What is said to passes and profilers; what calls nothing, and whose value nobody has.
bool DoesNothing(ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_OUTSIDE_CALLS_H_
