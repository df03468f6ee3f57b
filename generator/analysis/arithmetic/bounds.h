// The range an integer expression lies in, from the ranges of its variables.
#ifndef LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_
#define LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// Holds every value `e` can have; may be wider than need be.
Interval BoundsOf(ir::Context& context, ir::PrimRef e, const Assumptions& known = {});

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_BOUNDS_H_
