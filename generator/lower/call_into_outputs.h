// R.call_dps_packed: a packed function that writes into tensors that are made for it.
#ifndef LATHE_LOWER_CALL_INTO_OUTPUTS_H_
#define LATHE_LOWER_CALL_INTO_OUTPUTS_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// The call of a function from outside, or of a PrimFunc of the module, by its symbol or as a value;
// also where the run says which. Nothing after a report.
std::optional<Form> LowerCallDpsPacked(RoutineBuilder& b, const ir::Binding& binding,
                                       const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CALL_INTO_OUTPUTS_H_
