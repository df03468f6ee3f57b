// Lowers operators whose result size depends on data (R.nonzero, R.unique,
// R.dynamic_strided_slice). One kernel computes the size, others the results.
#ifndef LATHE_LOWER_LOWER_DATA_OPERATOR_H_
#define LATHE_LOWER_LOWER_DATA_OPERATOR_H_

#include <optional>

#include "generator/lower/actual_call.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

bool IsDataOperator(const ir::Op& op);

// Returns nothing after a report.
std::optional<Form> LowerDataOperator(RoutineBuilder& b, const ir::Binding& binding,
                                      ActualCall& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_DATA_OPERATOR_H_
