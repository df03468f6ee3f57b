// Selects the functions of a foreign module that can be called from C.
#ifndef LATHE_TESTS_COMPILED_CALLABLE_H_
#define LATHE_TESTS_COMPILED_CALLABLE_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::compiled {

// Returns the exported Relax functions. A PrimFunc of a module without any gets a wrapper that
// calls it and returns all of its tensors; one without tensors gets none.
std::vector<std::string> MakeCallable(ir::Context& context, ir::Module& module);

// Returns `module` with `function` as its only exported function.
ir::Module Only(const ir::Module& module, const std::string& function);

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_CALLABLE_H_
