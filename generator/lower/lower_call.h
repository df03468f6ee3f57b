// Lowers calls of PrimFuncs, of functions of the module, and of operators that legalization leaves.
#ifndef LATHE_LOWER_LOWER_CALL_H_
#define LATHE_LOWER_LOWER_CALL_H_

#include <optional>
#include <vector>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Emits the steps of the call and returns its result. Returns nothing after a report.
std::optional<Form> LowerCall(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call);

// Lowers R.call_tir and R.call_tir_inplace.
std::optional<Form> LowerCallTir(RoutineBuilder& b, const ir::Binding& binding,
                                 const ir::Call& call);
// Lowers a direct call of a PrimFunc, which writes into its arguments.
std::optional<Form> LowerDirectCall(RoutineBuilder& b, const ir::Binding& binding,
                                    const std::vector<Form>& args, ir::GlobalId callee);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_CALL_H_
