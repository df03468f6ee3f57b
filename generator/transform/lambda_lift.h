// Lifts local functions to private functions of the module.
//
//   @R.function                                def main_add(a, x): return R.add(a, x)
//   def add(a): return R.add(a, x)       →
//   y = add(b)                                 y = main_add(b, x)
//
// Captured variables become further parameters, as does a shape of the captured shape variables
// that none of those variables bind. A function with captures that is not only called becomes a
// closure:
//
//   add0 = R.make_closure(main_add, (x,))
//   add = R.match_cast(add0, R.Callable(...))
#ifndef LATHE_TRANSFORM_LAMBDA_LIFT_H_
#define LATHE_TRANSFORM_LAMBDA_LIFT_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info. Afterwards no binding is a function.
void LambdaLift(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_LAMBDA_LIFT_H_
