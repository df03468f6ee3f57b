// Replaces a repeated computation by the earlier result.
//
//   a = R.add(x, y)              a = R.add(x, y)
//   b = R.add(x, y)        →     c = R.multiply(a, a)
//   c = R.multiply(a, b)
//
// Considers calls without effects, tuples and fields of tuples. A branch reuses bindings before it.
// Memory that the program may overwrite is never shared.
#ifndef LATHE_TRANSFORM_ELIMINATE_COMMON_SUBEXPR_H_
#define LATHE_TRANSFORM_ELIMINATE_COMMON_SUBEXPR_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Removes repeated computations from all functions of `module`. Requires Value::info.
void EliminateCommonSubexpr(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_ELIMINATE_COMMON_SUBEXPR_H_
