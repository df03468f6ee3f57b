// Rebuilds a scalar expression with other operands: the step of every rewrite.
#ifndef LATHE_IR_MAP_OPERANDS_H_
#define LATHE_IR_MAP_OPERANDS_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Applies `map` to each direct operand (those ForEachOperand visits); returns `e` itself if none
// changed. `map` must preserve dtypes.
PrimRef MapOperands(Context& context, PrimRef e, absl::FunctionRef<PrimRef(PrimRef)> map);

}  // namespace lathe::ir

#endif  // LATHE_IR_MAP_OPERANDS_H_
