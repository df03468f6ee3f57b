#include "generator/emit/print_axis_loops.h"

#include <algorithm>

#include "generator/emit/c_names.h"
#include "generator/emit/print_c_element.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

absl::Status PrintFrom(CScope& scope, const std::vector<ir::NestAxis>& axes, size_t at, bool unroll,
                       LineWriter& out, absl::FunctionRef<absl::Status()> body) {
  if (at == axes.size()) return body();
  const std::string name = NameAxis(scope, axes[at]);
  LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope, axes[at].extent));
  if (unroll) out.Line(UpperCase(scope.needs.prefix), "_UNROLL");
  out.Line("for (", scope.wide ? "int64_t" : "int32_t", " ", name, " = 0; ", name, " < ",
           extent.In(kOrder + 1), "; ++", name, ") {");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(PrintFrom(scope, axes, at + 1, unroll, out, body));
  }
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace

std::string NameAxis(CScope& scope, const ir::NestAxis& axis) {
  const std::string name = scope.names.Unique(ir::ToString(axis.var));
  scope.vars[axis.var] = {name, scope.wide ? ir::DType::Int(64) : ir::DType::Int(32)};
  if (const auto* extent = axis.extent->As<ir::IntImm>()) {
    scope.ranges.Bound(axis.var, {0, std::max<int64_t>(extent->value, 1) - 1});
  }
  return name;
}

absl::Status PrintAxisLoops(CScope& scope, const std::vector<ir::NestAxis>& axes, bool unroll,
                            LineWriter& out, absl::FunctionRef<absl::Status()> body) {
  return PrintFrom(scope, axes, 0, unroll, out, body);
}

}  // namespace lathe::emit
