// The opposite of a condition, as a person would write it: i >= n for the opposite of i < n.
#ifndef LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_
#define LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_

#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// The comparison that holds where `op` does not, of numbers that are ordered.
ir::BinaryOp Opposite(ir::BinaryOp op);

// True where `cond` is false. What may be NaN is compared as it was: neither i < n nor i >= n
// holds.
ir::PrimRef Negated(ir::Context& context, ir::PrimRef cond);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_NEGATED_H_
