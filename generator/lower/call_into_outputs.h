// Lowers R.call_dps_packed: a packed function that writes into newly allocated tensors.
#ifndef LATHE_LOWER_CALL_INTO_OUTPUTS_H_
#define LATHE_LOWER_CALL_INTO_OUTPUTS_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// The callee is an external function or a PrimFunc of the module, named by its symbol or passed as
// a value, possibly known only at run time. Returns nothing after a report.
std::optional<Form> LowerCallDpsPacked(RoutineBuilder& b, const ir::Binding& binding,
                                       const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CALL_INTO_OUTPUTS_H_
