// Lowers operators whose arguments became known during lowering, and those whose result size
// depends on data. Their loop nests are created here.
#ifndef LATHE_LOWER_LOWER_OPERATOR_H_
#define LATHE_LOWER_LOWER_OPERATOR_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns nothing after a report, also if the operator has no loop nest.
std::optional<Form> LowerOperator(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);

// Returns whether the operator only reinterprets the bytes of its argument with another shape.
bool IsReshapeLike(absl::string_view op);

// Creates and calls a kernel of `func`, whose sizes are in the routine's variables. `part` names
// the kernel among several of one operator. Returns false after a report.
bool EmitNest(RoutineBuilder& b, ir::PrimFunc func, absl::string_view op_name,
              absl::string_view part, std::vector<ir::TensorId> tensors, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_OPERATOR_H_
