// Operators whose results are as large as their data says: one kernel finds out how large, and
// another fills them.
#ifndef LATHE_LOWER_LOWER_DATA_OPERATOR_H_
#define LATHE_LOWER_LOWER_DATA_OPERATOR_H_

#include <optional>

#include "generator/lower/actual_call.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

bool IsDataOperator(const ir::Op& op);

// Nothing after a report.
std::optional<Form> LowerDataOperator(RoutineBuilder& b, const ir::Binding& binding,
                                      ActualCall& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_DATA_OPERATOR_H_
