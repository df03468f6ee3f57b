#include "generator/emit/cuda/print_axes.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

PrimRef Times(CScope& scope, PrimRef a, PrimRef b) {
  ir::Context& context = scope.ir;
  return analysis::Simplify(
      context, context.Make(BinaryOp::kMul, a, context.MakeCast(ir::DType::Int(64), b)),
      scope.ranges);
}

}  // namespace

PrimRef CountOf(CScope& scope, const std::vector<ir::GridAxis>& axes) {
  PrimRef count = scope.ir.Int(1);
  for (const ir::GridAxis& axis : axes) count = Times(scope, count, axis.extent);
  return count;
}

void BoundAxis(CScope& scope, const ir::GridAxis& axis) {
  const analysis::Interval from = analysis::BoundsOf(scope.ir, axis.min, scope.ranges);
  const analysis::Interval to = from + analysis::BoundsOf(scope.ir, axis.extent, scope.ranges);
  scope.ranges.Bound(axis.var, {from.lo, to.hi == analysis::kPosInf ? to.hi : to.hi - 1});
}

void NameAxis(CScope& scope, const ir::GridAxis& axis, const std::string& name) {
  scope.vars[axis.var] = {name, scope.wide ? ir::DType::Int(64) : ir::DType::Int(32)};
}

absl::Status PrintAxes(CScope& scope, const std::vector<ir::GridAxis>& axes,
                       const std::string& whole, LineWriter& out) {
  PrimRef stride = scope.ir.Int(1);  // stride of the axis in the linear index
  std::vector<std::string> lines(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    const ir::GridAxis& axis = axes[i];
    std::string value = whole;
    if (!nest::IsNumber(stride, 1)) {
      LATHE_ASSIGN_OR_RETURN(const CText by, PrintCIndexValue(scope, stride));
      absl::StrAppend(&value, " / ", by.In(kProduct + 1));
    }
    if (i > 0) {
      LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope, axis.extent));
      absl::StrAppend(&value, " % ", extent.In(kProduct + 1));
    }
    if (!nest::IsNumber(axis.min, 0)) {
      LATHE_ASSIGN_OR_RETURN(const CText min, PrintCIndexValue(scope, axis.min));
      absl::StrAppend(&value, " + ", min.In(kSum + 1));
    }
    if (!scope.vars.contains(axis.var)) {
      NameAxis(scope, axis, scope.names.Unique(ir::ToString(axis.var)));
    }
    lines[i] = absl::StrCat("const ", scope.wide ? "int64_t " : "int32_t ",
                            scope.vars.at(axis.var).name, " = ", value, ";");
    stride = Times(scope, stride, axis.extent);
  }
  for (const std::string& line : lines) out.Line(line);
  return absl::OkStatus();
}

}  // namespace lathe::emit
