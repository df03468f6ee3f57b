#include "generator/emit/cuda/print_strided_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {

namespace {

// Prints the loops over `at` up to `count`; `iteration` prints the body. `divides`: share.each
// divides the count.
absl::Status PrintLoops(CScope& scope, const LoopShare& share, const std::string& at,
                        const CText& count, bool divides,
                        absl::FunctionRef<absl::Status()> iteration, LineWriter& out) {
  const std::string type = scope.wide ? "int64_t" : "int32_t";
  const std::string as = scope.wide ? "" : "(int32_t)";
  const std::string most = count.In(kOrder + 1);
  const auto inside = [&] {
    LineWriter::Indent in(out);
    return iteration();
  };
  if (share.each == 1) {
    out.Line("for (", type, " ", at, " = ", as, share.first, "; ", at, " < ", most, "; ", at,
             " += ", as, share.step, ") {");
    LATHE_RETURN_IF_ERROR(inside());
    out.Line("}");
    return absl::OkStatus();
  }
  const std::string first = scope.names.Unique("first");
  std::string limit = absl::StrCat(first, " + ", share.each);
  out.Line("for (", type, " ", first, " = ", as, share.first, " * ", share.each, "; ", first, " < ",
           most, "; ", first, " += ", as, share.step, " * ", share.each, ") {");
  {
    LineWriter::Indent in(out);
    if (!divides) {
      const std::string end = scope.names.Unique("end");
      out.Line("const ", type, " ", end, " = ", limit, " < ", most, " ? ", limit, " : ",
               count.In(kTernary), ";");
      limit = end;
    }
    out.Line("for (", type, " ", at, " = ", first, "; ", at, " < ", limit, "; ++", at, ") {");
    LATHE_RETURN_IF_ERROR(inside());
    out.Line("}");
  }
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CText> PrintStridedLoop(CScope& scope, const std::vector<ir::GridAxis>& axes,
                                       const LoopShare& share,
                                       absl::FunctionRef<absl::Status()> body, LineWriter& out) {
  const ir::PrimRef count = CountOf(scope, axes);
  const analysis::Interval range = analysis::BoundsOf(scope.ir, count, scope.ranges);
  if (!scope.wide && range.hi > kMaxNarrow) scope.must_be_wide = true;
  LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope, count));
  // A single axis is the loop variable itself, unless its minimum is not 0.
  const bool direct = axes.size() == 1 && nest::IsNumber(axes[0].min, 0);
  const std::string at = direct ? scope.names.Unique(ir::ToString(axes[0].var)).str() : "at";
  const bool divides = nest::Number(count).value_or(1) % share.each == 0;
  const auto iteration = [&]() -> absl::Status {
    for (const ir::GridAxis& axis : axes) BoundAxis(scope, axis);
    if (direct) {
      NameAxis(scope, axes[0], at);
    } else {
      LATHE_RETURN_IF_ERROR(PrintAxes(scope, axes, at, out));
    }
    return body();
  };
  LATHE_RETURN_IF_ERROR(PrintLoops(scope, share, at, counted, divides, iteration, out));
  LATHE_ASSIGN_OR_RETURN(std::string total, PrintHostSize(scope, count));
  return CText{std::move(total)};
}

}  // namespace lathe::emit
