// Calls of functions of which only the run knows which they are.
#ifndef LATHE_LOWER_CALL_ANY_FUNCTION_H_
#define LATHE_LOWER_CALL_ANY_FUNCTION_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// False after a report.
using CallInto = absl::FunctionRef<bool(const Form& callee, const Form& to)>;

// Calls what `value` is: one of the functions of the program that take so many arguments and may
// give what `info` says, with the values that it keeps behind them. What it gives, named after the
// binding's variable; nothing after a report.
std::optional<Form> CallAnyFunction(RoutineBuilder& b, const ir::Binding& binding,
                                    ir::StructInfoRef info, ir::TensorId value,
                                    const std::vector<Form>& args, CallInto call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CALL_ANY_FUNCTION_H_
