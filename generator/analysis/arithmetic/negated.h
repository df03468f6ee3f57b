// Negates conditions and keeps them readable: i < n becomes i >= n.
#ifndef LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_
#define LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_

#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// The comparison that is true where `op` is false, for totally ordered operands.
ir::BinaryOp Opposite(ir::BinaryOp op);

// Returns a condition that is true where `cond` is false. Comparisons of operands that may be NaN
// become a logical not, since neither i < n nor i >= n holds for NaN.
ir::PrimRef Negated(ir::Context& context, ir::PrimRef cond);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_
