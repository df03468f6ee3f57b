// Evaluates calls with constant arguments in the interpreter.
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
  // Loop iterations, in total for the module. Calls that remain when they are used up are kept.
  int64_t max_steps = 20'000'000;
  // The maximum number of bytes of a new constant, unless it is at most as large as one that it is
  // computed from, or at most twice as large as the constants of the program that it depends on:
  // R.zeros((1000, 1000)) is better computed at run time than stored. A constant that is computed
  // from packed elements, or dequantized, may have 64 bytes, or as many as the largest argument or
  // as the constants of the program together.
  uint64_t max_bytes = 1024;
};

// Folds effect-free calls of operators and R.call_tir, and the fields of their results. Keeps
// values with a device and values that may be overwritten. A call that fails is kept, to fail at
// run time. Needs Value::info.
void FoldConstants(ir::Context& context, ir::Module& module, const FoldBudget& budget = {});

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_FOLD_CONSTANTS_H_
