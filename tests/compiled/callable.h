// Selects the functions of a foreign module that can be called from C.
#ifndef LATHE_TESTS_COMPILED_CALLABLE_H_
#define LATHE_TESTS_COMPILED_CALLABLE_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::compiled {

// The exported Relax functions. A PrimFunc of a module without any gets one that calls it and gives
// back all tensors that it was given; one without tensors gets none.
std::vector<std::string> MakeCallable(ir::Context& context, ir::Module& module);

// `module` with no function exported but `function`.
ir::Module Only(const ir::Module& module, const std::string& function);

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_CALLABLE_H_
