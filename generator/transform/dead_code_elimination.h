// Removes unused bindings without effects, and private functions that no exported function reaches.
//
//   unused = R.exp(x)
//   y = R.add(x, x)           →   y = R.add(x, x)
//   return y                      return y
//
// An unused cast is kept: the user wrote it as a check, and it may bind shape variables. All
// functions of a module that was read without a class, or that exports none, are kept.
#ifndef LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_
#define LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info.
void DeadCodeElimination(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_
