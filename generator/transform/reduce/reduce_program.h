// Reduces a program that fails to a small one that fails in the same way.
#ifndef LATHE_TRANSFORM_REDUCE_REDUCE_PROGRAM_H_
#define LATHE_TRANSFORM_REDUCE_REDUCE_PROGRAM_H_

#include <cstddef>
#include <functional>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

struct ReduceCallbacks {
  // Returns true if the program fails. The last program for which it was true is the result.
  std::function<bool(const ir::Module&)> fails;
  // Returns true when the reduction has to end; may be null.
  std::function<bool()> expired = nullptr;
};

// Leaves out functions, bindings, branches, operands, constants and parts of results, and makes
// sizes smaller, as long as the program fails. `module` must fail. If it is well formed, `fails` is
// only called with well-formed programs, whose infos are derived.
ir::Module ReduceProgram(ir::Context& context, const ir::Module& module,
                         const ReduceCallbacks& callbacks);

// Returns the number of bindings in `module`, those of branches and inner functions included.
size_t CountAllBindings(const ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_REDUCE_PROGRAM_H_
