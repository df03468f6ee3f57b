// The PrimFuncs that kernels call by name: T.evaluate(Module.f(A.data, n)), T.call_extern of one of
// the module.
#ifndef LATHE_LOWER_PRIM_CALLEES_H_
#define LATHE_LOWER_PRIM_CALLEES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::lower {

// Adds those of `module` that `func` calls, itself or through others, by the names they are called
// by; what follows T.device_entry() in them is a launch. Fails, naming it, on one whose parameters
// or own memory no such function has in C.
absl::Status AddCallees(ir::Context& context, const ir::Module& module, const ir::PrimFunc& func,
                        std::map<std::string, ir::PrimFunc>& callees);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PRIM_CALLEES_H_
