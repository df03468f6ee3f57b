// Orders scalar expressions by their structure.
//
// The order of creation does not serve: C++ leaves the order in which arguments are evaluated to
// the compiler, so lathe built by gcc would write `max(-1, x)` where lathe built by clang writes
// `max(x, -1)`. Only variables and buffers are ordered by creation, since their names may be equal.
#ifndef LATHE_IR_CANONICAL_ORDER_H_
#define LATHE_IR_CANONICAL_ORDER_H_

#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Returns a negative number if `a` precedes `b`, a positive one if it follows, 0 if both are the
// same. An expression follows its operands, at any depth, and a constant the variables.
int CompareCanonically(PrimRef a, PrimRef b);

inline bool PrecedesCanonically(PrimRef a, PrimRef b) { return CompareCanonically(a, b) < 0; }

}  // namespace lathe::ir

#endif  // LATHE_IR_CANONICAL_ORDER_H_
