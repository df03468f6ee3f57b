// Calls of private functions become what those do.
//
//   def twice(a: R.Tensor(("k",))): ...         b = R.add(x, x)
//   y = twice(x)                          →     y = b
//
// What the call checked is still checked: by a cast, where it is not certain. Not inlined are
// functions that are recursive or have attributes, which say that they mean something as a whole.
#ifndef LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_
#define LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// What inlining may add to a module, in bindings: functions that each call the one before twice
// double with every step.
inline constexpr int kMaxInlinedBindings = 100'000;
// How deep bodies may come to stand in bodies by it.
inline constexpr int kMaxInlinedDepth = 100;

// Private functions that nothing mentions afterwards are removed. Needs Value::info.
void InlinePrivateFunctions(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_INLINE_PRIVATE_FUNCTIONS_H_
