// Inlines calls of private functions.
//
//   def twice(a: R.Tensor(("k",))): ...         b = R.add(x, x)
//   y = twice(x)                          →     y = b
//
// Checks of the call are kept as casts unless they certainly succeed. Functions that are recursive
// or have attributes, which give them a meaning as a whole, are not inlined. Exception: a function
// whose only attribute is force_pure is inlined into another one with force_pure. Nothing is
// inlined in a module that was read without a class.
#ifndef LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_
#define LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The number of bindings that inlining may add to a module: a chain of functions that each call the
// previous one twice doubles with every function.
inline constexpr int kMaxInlinedBindings = 100'000;
// The nesting of bodies that inlining may create.
inline constexpr int kMaxInlinedDepth = 100;

// Inlines calls in all functions of the module, then removes private functions that are unused.
// Needs Value::info.
void InlinePrivateFunctions(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_
