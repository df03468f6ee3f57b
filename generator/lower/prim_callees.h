// Finds the PrimFuncs that kernels call by name, as T.evaluate(Module.f(A.data, n)) or
// T.call_extern.
#ifndef LATHE_LOWER_PRIM_CALLEES_H_
#define LATHE_LOWER_PRIM_CALLEES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::lower {

// Adds the PrimFuncs of `module` that `func` calls, directly or indirectly, under the names used.
// T.device_entry() in them starts a launch. Fails on a function whose parameters or local memory
// cannot be represented in C, and names it.
absl::Status AddCallees(ir::Context& context, const ir::Module& module, const ir::PrimFunc& func,
                        std::map<std::string, ir::PrimFunc>& callees);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PRIM_CALLEES_H_
