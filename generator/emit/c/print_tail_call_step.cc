#include "generator/emit/c/print_tail_call_step.h"

#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::Status PrintTailCallStep(
    const ir::Routine& routine, CScope& scope, MovePrinter& moves, CNames& names,
    const ir::TailCallStep& step,
    absl::FunctionRef<absl::StatusOr<std::string>(const ir::Part&)> argument, LineWriter& out) {
  std::vector<std::string> last;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i] == routine.inputs[i]) continue;
    LATHE_ASSIGN_OR_RETURN(const std::string input, argument(routine.inputs[i]));
    if (const auto* id = std::get_if<ir::TensorId>(&step.inputs[i])) {
      LATHE_RETURN_IF_ERROR(moves.Copy(*id, routine.carried[i], out));
      LATHE_ASSIGN_OR_RETURN(const std::string place, moves.Spell(routine.carried[i]));
      last.push_back(absl::StrCat(input, " = ", place, ";"));
      continue;
    }
    const ir::PrimRef value = std::get<ir::PrimRef>(step.inputs[i]);
    const std::string name = names.Unique(absl::StrCat(input, "_next"));
    LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCExpr(scope, value));
    out.Line("const ", CScalarType(value->dtype()), " ", name, " = ", text, ";");
    last.push_back(absl::StrCat(input, " = ", name, ";"));
  }
  for (const std::string& line : last) out.Line(line);
  out.Line("again = 1;");
  return absl::OkStatus();
}

}  // namespace lathe::emit
