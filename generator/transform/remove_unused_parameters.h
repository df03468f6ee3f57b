// Removes parameters that a private function does not read, from the function and its calls.
//
//   def f(a, unused): return R.exp(a)           def f(a): return R.exp(a)
//   y = f(x, z)                           →     y = f(x)
#ifndef LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_
#define LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// An exported function and one that is used as a value keep their parameters. A parameter that
// binds a shape variable stays if the function uses the variable and no other parameter binds it. A
// module that was read without a class is not changed. Checks of the removed arguments disappear.
void RemoveUnusedParameters(ir::Context&, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REMOVE_UNUSED_PARAMETERS_H_
