// Lowers calls of operators whose arguments became known during lowering, or whose result size
// depends on data, to kernels and their calls.
#ifndef LATHE_LOWER_LOWER_OPERATOR_H_
#define LATHE_LOWER_LOWER_OPERATOR_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Appends the steps that compute `call`, the value of `binding`, and returns the result's form.
// Returns nullopt after an error that is reported: invalid arguments, a result whose type is
// unknown, or an operator without a loop nest. Also returns nullopt if the call is invalid only for
// the ranks chosen in this branch; a check that ends the run is emitted then.
std::optional<Form> LowerOperator(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);

// Adds a kernel of `func` to the program and appends its call on `tensors`, the arguments and then
// the results. The sizes of `func` are expressions of the routine's variables. `part` names the
// kernel if the operator has several; otherwise it is empty. Returns false after an error that is
// reported: no kernel can be made of `func`.
bool EmitNest(RoutineBuilder& b, ir::PrimFunc func, absl::string_view op_name,
              absl::string_view part, std::vector<ir::TensorId> tensors, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_OPERATOR_H_
