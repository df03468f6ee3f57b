// Computes the range of an integer expression from the ranges of its variables.
#ifndef LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_
#define LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// Returns a range that contains every value of `e`. It may be wider than necessary. It is unbounded
// if `e` is not a signed integer.
Interval BoundsOf(ir::Context& context, ir::PrimRef e, const Assumptions& known = {});

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_
