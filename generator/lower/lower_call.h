// Calls: of PrimFuncs, of functions of the module, of the operators that legalisation leaves.
#ifndef LATHE_LOWER_LOWER_CALL_H_
#define LATHE_LOWER_LOWER_CALL_H_

#include <optional>
#include <vector>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// What the call gives, with its steps emitted; nothing after a report.
std::optional<Form> LowerCall(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call);

// R.call_tir and R.call_tir_inplace.
std::optional<Form> LowerCallTir(RoutineBuilder& b, const ir::Binding& binding,
                                 const ir::Call& call);
// A PrimFunc called as a function: it writes into what it is given.
std::optional<Form> LowerDirectCall(RoutineBuilder& b, const ir::Binding& binding,
                                    const std::vector<Form>& args, ir::GlobalId callee);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_CALL_H_
