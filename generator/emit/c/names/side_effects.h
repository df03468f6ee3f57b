// Classifies expressions by their side effects.
#ifndef LATHE_EMIT_C_NAMES_SIDE_EFFECTS_H_
#define LATHE_EMIT_C_NAMES_SIDE_EFFECTS_H_

#include "generator/ir/prim_expr.h"

namespace lathe::emit {

// Returns true if `e` does more than compute a value: it calls an external function or a function
// of the module, writes memory, or takes part in communication between the threads of a GPU.
bool HasSideEffects(ir::PrimRef e);
// Returns true if `e`, as a statement, has no effect: it is a hint to compiler passes or profilers,
// or it only computes a value.
bool HasNoEffect(ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_SIDE_EFFECTS_H_
