#include "generator/emit/cuda/print_turns.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/bounds.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/emit/print_c_element.h"
#include "generator/lower/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<CText> PrintTurns(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                 const Takers& takers, absl::FunctionRef<absl::Status()> body,
                                 LineWriter& out) {
  const ir::PrimRef count = CountOf(scope, axes);
  const analysis::Interval range = analysis::BoundsOf(scope.ir, count, scope.ranges);
  if (!scope.wide && range.hi > kMostNarrow) scope.must_be_wide = true;
  LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope, count));
  const std::string type = scope.wide ? "int64_t" : "int32_t";
  const std::string as = scope.wide ? "" : "(int32_t)";
  // One loop is the axis itself, unless it begins elsewhere.
  const bool direct = axes.size() == 1 && lower::IsNumber(axes[0].min, 0);
  const std::string at = direct ? scope.names.Unique(ir::ToString(axes[0].var)) : "at";
  out.Line("for (", type, " ", at, " = ", as, takers.first, "; ", at, " < ", counted.In(kOrder + 1),
           "; ", at, " += ", as, takers.step, ") {");
  {
    LineWriter::Indent in(out);
    for (const ir::GridAxis& axis : axes) BoundAxis(scope, axis);
    if (direct) {
      NameAxis(scope, axes[0], at);
    } else {
      LATHE_RETURN_IF_ERROR(PrintAxes(scope, axes, at, out));
    }
    LATHE_RETURN_IF_ERROR(body());
  }
  out.Line("}");
  LATHE_ASSIGN_OR_RETURN(std::string total, PrintHostSize(scope, count));
  return CText{std::move(total)};
}

}  // namespace lathe::emit
