// Calls whose arguments are all known are made now, by the interpreter.
//
//   c = R.add(R.const([1, 2]), R.const(3))     →     y = R.multiply(x, R.const([4, 5]))
//   y = R.multiply(x, c)
#ifndef LATHE_TRANSFORM_FOLD_CONSTANTS_H_
#define LATHE_TRANSFORM_FOLD_CONSTANTS_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

struct FoldBudget {
  // Loop iterations, over the whole module. What is left when they are spent stays a call.
  int64_t max_steps = 20'000'000;
  // A constant may take this much, or as much as one that it is computed from, or twice those of
  // the program that are behind it: R.zeros((1000, 1000)) is better made at run time than stored.
  uint64_t max_bytes = 1024;
};

// Folds calls of operators and of PrimFuncs without effects, and fields of what they give. A call
// that fails is left to fail at run time. Needs Value::info.
void FoldConstants(ir::Context& context, ir::Module& module, const FoldBudget& budget = {});

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_FOLD_CONSTANTS_H_
