#include "generator/emit/cuda/print_turns.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/print_c_element.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {

namespace {

// Prints the loops over `at` up to `count`; `turn` prints the body. `divides`: takers.each divides
// the count.
absl::Status PrintLoops(CScope& scope, const Takers& takers, const std::string& at,
                        const CText& count, bool divides, absl::FunctionRef<absl::Status()> turn,
                        LineWriter& out) {
  const std::string type = scope.wide ? "int64_t" : "int32_t";
  const std::string as = scope.wide ? "" : "(int32_t)";
  const std::string most = count.In(kOrder + 1);
  const auto inside = [&] {
    LineWriter::Indent in(out);
    return turn();
  };
  if (takers.each == 1) {
    out.Line("for (", type, " ", at, " = ", as, takers.first, "; ", at, " < ", most, "; ", at,
             " += ", as, takers.step, ") {");
    LATHE_RETURN_IF_ERROR(inside());
    out.Line("}");
    return absl::OkStatus();
  }
  const std::string first = scope.names.Unique("first");
  std::string behind = absl::StrCat(first, " + ", takers.each);
  out.Line("for (", type, " ", first, " = ", as, takers.first, " * ", takers.each, "; ", first,
           " < ", most, "; ", first, " += ", as, takers.step, " * ", takers.each, ") {");
  {
    LineWriter::Indent in(out);
    if (!divides) {
      const std::string end = scope.names.Unique("end");
      out.Line("const ", type, " ", end, " = ", behind, " < ", most, " ? ", behind, " : ",
               count.In(kTernary), ";");
      behind = end;
    }
    out.Line("for (", type, " ", at, " = ", first, "; ", at, " < ", behind, "; ++", at, ") {");
    LATHE_RETURN_IF_ERROR(inside());
    out.Line("}");
  }
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CText> PrintTurns(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                 const Takers& takers, absl::FunctionRef<absl::Status()> body,
                                 LineWriter& out) {
  const ir::PrimRef count = CountOf(scope, axes);
  const analysis::Interval range = analysis::BoundsOf(scope.ir, count, scope.ranges);
  if (!scope.wide && range.hi > kMostNarrow) scope.must_be_wide = true;
  LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope, count));
  // A single axis is the loop variable itself, unless its minimum is not 0.
  const bool direct = axes.size() == 1 && nest::IsNumber(axes[0].min, 0);
  const std::string at = direct ? scope.names.Unique(ir::ToString(axes[0].var)).str() : "at";
  const bool divides = nest::Number(count).value_or(1) % takers.each == 0;
  const auto turn = [&]() -> absl::Status {
    for (const ir::GridAxis& axis : axes) BoundAxis(scope, axis);
    if (direct) {
      NameAxis(scope, axes[0], at);
    } else {
      LATHE_RETURN_IF_ERROR(PrintAxes(scope, axes, at, out));
    }
    return body();
  };
  LATHE_RETURN_IF_ERROR(PrintLoops(scope, takers, at, counted, divides, turn, out));
  LATHE_ASSIGN_OR_RETURN(std::string total, PrintHostSize(scope, count));
  return CText{std::move(total)};
}

}  // namespace lathe::emit
