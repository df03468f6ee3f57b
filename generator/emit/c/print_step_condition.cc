#include "generator/emit/c/print_step_condition.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<std::string> PrintStepCondition(const ConditionScope& in, const ir::Part& condition,
                                               bool holds, LineWriter& out) {
  const auto* id = std::get_if<ir::TensorId>(&condition);
  if (id == nullptr) {
    const ir::PrimRef e = std::get<ir::PrimRef>(condition);
    return holds ? PrintCCondition(in.scope, e) : PrintCViolation(in.scope, e);
  }
  LATHE_ASSIGN_OR_RETURN(const std::string name, in.moves.Spell(*id));
  const ir::Tensor& tensor = in.model.program.tensors[*id];
  const CText read = in.dialect.Read(in.model, in.names, {tensor, name}, out);
  return absl::StrCat(read.In(kEquality),
                      holds ? " !=" : " ==", tensor.dtype.is_int() ? " 0" : " 0u");
}

}  // namespace lathe::emit
