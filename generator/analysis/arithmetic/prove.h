// Proves or refutes equality and order of integer expressions.
#ifndef LATHE_ANALYSIS_ARITHMETIC_PROVE_H_
#define LATHE_ANALYSIS_ARITHMETIC_PROVE_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/tri.h"

namespace lathe::analysis {

// kYes: true for all values of the variables that the assumptions allow. kNo: true for none of
// them.
ir::Tri ProveEqual(ir::Context& context, ir::PrimRef a, ir::PrimRef b,
                   const Assumptions& known = {});
ir::Tri ProveLess(ir::Context& context, ir::PrimRef a, ir::PrimRef b,
                  const Assumptions& known = {});
ir::Tri ProveLessEqual(ir::Context& context, ir::PrimRef a, ir::PrimRef b,
                       const Assumptions& known = {});
// Proves or refutes a condition.
ir::Tri Prove(ir::Context& context, ir::PrimRef condition, const Assumptions& known = {});

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_PROVE_H_
