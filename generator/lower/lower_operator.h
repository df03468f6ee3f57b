// Operators whose arguments are known only here, and those whose results are as large as the data
// says: loop nests that lower/ asks for itself.
#ifndef LATHE_LOWER_LOWER_OPERATOR_H_
#define LATHE_LOWER_LOWER_OPERATOR_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Nothing after a report, as when the operator is not computed by loop nests.
std::optional<Form> LowerOperator(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);

// Operators whose result is the bytes of their argument under other sizes.
bool OnlyRenamesSizes(absl::string_view op);

// A kernel of `func`, whose sizes are in the routine's own variables, called with these tensors.
// `part` says in its name which one of the operator's it is, where it has several. False after a
// report.
bool EmitNest(RoutineBuilder& b, ir::PrimFunc func, absl::string_view op_name,
              absl::string_view part, std::vector<ir::TensorId> tensors, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_OPERATOR_H_
