// Lowers calls of functions that are known only at run time.
#ifndef LATHE_LOWER_CALL_DYNAMIC_FUNCTION_H_
#define LATHE_LOWER_CALL_DYNAMIC_FUNCTION_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns false after a report.
using CallInto = absl::FunctionRef<bool(const Form& callee, const Form& to)>;

// Calls the boxed function `value`. Emits a branch for each function of the program that accepts
// `args` and may return `info`; its captured values follow the arguments. The result is named after
// the binding's variable. Returns nothing after a report.
std::optional<Form> CallDynamicFunction(RoutineBuilder& b, const ir::Binding& binding,
                                        ir::StructInfoRef info, ir::TensorId value,
                                        const std::vector<Form>& args, CallInto call);

// Emits a check that ends the run at a call, because no function of the program has the type of the
// called value, or because the value is no function. The result is only a placeholder. Returns
// nothing after a report.
std::optional<Form> EndRunAtCall(RoutineBuilder& b, const ir::Binding& binding,
                                 ir::StructInfoRef info);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CALL_DYNAMIC_FUNCTION_H_
