// Replaces a parameter of a private function by a constant when every call passes the same
// constant.
//
//   def f(a, w): return R.matmul(a, w)          def f(a, w): return R.matmul(a, R.const(...))
//   y = f(x, R.const(...))                →     y = f(x, R.const(...))
//
// Operators with constant arguments can be folded, and their kernels specialized. This matters most
// for operands that a loop reads in each iteration.
#ifndef LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_
#define LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// A recursive call that forwards the parameter is compatible with all other calls. An exported
// function and one that is used as a value keep their parameters. So does a parameter that may be
// overwritten or whose annotation contains shape variables. A module that was read without a class
// is not changed. The unused parameters are left for remove_unused_parameters. Returns whether it
// changed anything.
bool BindConstantArguments(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BIND_CONSTANT_ARGUMENTS_H_
