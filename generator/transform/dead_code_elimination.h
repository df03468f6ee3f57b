// What nothing depends on is left out: bindings that are not read and have no effect, and private
// functions that nothing reaches from the exported ones.
//
//   unused = R.exp(x)
//   y = R.add(x, x)           →   y = R.add(x, x)
//   return y                      return y
//
// A cast that is not read stays: the user wrote it as a check, and it may bind shape variables.
#ifndef LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_
#define LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info. Functions read without a class around them, and those of a module that exports
// none, are all kept.
void DeadCodeElimination(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DEAD_CODE_ELIMINATION_H_
