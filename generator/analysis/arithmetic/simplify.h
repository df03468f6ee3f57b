// Simplifies scalar expressions: canonical sums of products, floor division and modulus, min, max,
// select, comparisons. (n * 4 + 2 - n * 2) // 2 becomes n + 1.
#ifndef LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_H_
#define LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// Returns an expression equal to `e` wherever `e` is defined (a division by zero is not) and no
// arithmetic overflows. Floating-point arithmetic is not reassociated.
ir::PrimRef Simplify(ir::Context& context, ir::PrimRef e, const Assumptions& known = {});

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_H_
