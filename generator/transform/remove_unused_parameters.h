// Removes parameters that a private function does not read, from the function and its calls.
//
//   def f(a, unused): return R.exp(a)           def f(a): return R.exp(a)
//   y = f(x, z)                           →     y = f(x)
#ifndef LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_
#define LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// A function that is used as a value keeps its parameters, and so does one whose shape variables
// nothing else binds. Checks of the removed arguments disappear.
void RemoveUnusedParameters(ir::Context&, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_
