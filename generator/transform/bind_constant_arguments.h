// A parameter of a private function that every call gives the same constant becomes that constant.
//
//   def f(a, w): return R.matmul(a, w)          def f(a, w): return R.matmul(a, R.const(...))
//   y = f(x, R.const(...))                →     y = f(x, R.const(...))
//
// Operators that are given constants are folded, and their kernels are made for them: what a loop
// reads in each of its turns above all.
#ifndef LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_
#define LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// A call by the function itself that forwards the parameter agrees with all others. A function that
// is used as a value keeps its parameters, and so does one that may write into them. The parameters
// stay, unused, for remove_unused_parameters. Returns whether there was one.
bool BindConstantArguments(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_
