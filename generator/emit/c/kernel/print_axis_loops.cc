#include "generator/emit/c/kernel/print_axis_loops.h"

#include <algorithm>

#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/support/status.h"

namespace lathe::emit {

void BoundByExtent(CScope& scope, ir::PrimRef var, ir::PrimRef extent) {
  const analysis::Interval trip_counts = RangeOf(scope, extent);
  const bool ends = trip_counts.hi < analysis::kPosInf;
  scope.ranges.Bound(var, {0, ends ? std::max<int64_t>(trip_counts.hi, 1) - 1 : trip_counts.hi});
}

std::string NameAxis(CScope& scope, const ir::NestAxis& axis) {
  const std::string name = scope.names.Unique(ir::ToString(axis.var));
  scope.vars[axis.var] = {name, scope.wide ? ir::DType::Int(64) : ir::DType::Int(32)};
  BoundByExtent(scope, axis.var, axis.extent);
  return name;
}

absl::Status PrintAxisLoops(CScope& scope, absl::Span<const ir::NestAxis> axes, bool unroll,
                            LineWriter& out, absl::FunctionRef<absl::Status()> body) {
  if (axes.empty()) return body();
  const std::string name = NameAxis(scope, axes[0]);
  LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope, axes[0].extent));
  if (unroll) out.Line(UpperCase(scope.needs.prefix), "_UNROLL");
  out.Line("for (", scope.wide ? "int64_t" : "int32_t", " ", name, " = 0; ", name, " < ",
           extent.In(kOrder + 1), "; ++", name, ") {");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(PrintAxisLoops(scope, axes.subspan(1), unroll, out, body));
  }
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace lathe::emit
