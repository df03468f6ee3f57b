// Shrinks a failing program to the shortest one that still fails.
#ifndef LATHE_TESTS_RANDOM_SHRINK_H_
#define LATHE_TESTS_RANDOM_SHRINK_H_

#include <functional>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::random {

// Leaves out functions, bindings, branches and parts of results, and puts plain tensors for what is
// computed, as long as `fails` holds. What it is asked about is always a well-formed program.
ir::Module Shrink(ir::Context& context, const ir::Module& module,
                  const std::function<bool(const ir::Module&)>& fails);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_SHRINK_H_
