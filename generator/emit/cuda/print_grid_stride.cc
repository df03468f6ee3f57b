#include "generator/emit/cuda/print_grid_stride.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/bounds.h"
#include "generator/analysis/simplify.h"
#include "generator/emit/print_c_element.h"
#include "generator/emit/print_c_expr.h"
#include "generator/emit/print_c_stmt.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Beyond this a thread's next element may have a number of more than 31 bits.
constexpr int64_t kMostNarrow = int64_t{1} << 30;

class GridPrinter {
 public:
  GridPrinter(CScope& scope, const ir::GridStride& grid, LineWriter& out)
      : scope_(scope), ir_(scope.ir), grid_(grid), out_(out) {}

  absl::StatusOr<GridText> Print(bool fails) {
    PrimRef count = ir_.Int(1);
    for (const ir::GridAxis& axis : grid_.axes) count = Times(count, axis.extent);
    const analysis::Interval range = analysis::BoundsOf(ir_, count, scope_.ranges);
    if (!scope_.wide && range.hi > kMostNarrow) scope_.must_be_wide = true;
    LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope_, count));
    const std::string type = scope_.wide ? "int64_t" : "int32_t";
    // One loop is the axis itself, unless it begins elsewhere.
    const bool direct = grid_.axes.size() == 1 && Is(grid_.axes[0].min, 0);
    const std::string at = direct ? scope_.names.Unique(ir::ToString(grid_.axes[0].var)) : "at";
    const std::string first = scope_.wide ? "lathe_thread()" : "(int32_t)lathe_thread()";
    const std::string step = scope_.wide ? "lathe_threads()" : "(int32_t)lathe_threads()";
    out_.Line("for (", type, " ", at, " = ", first, "; ", at, " < ", counted.In(kOrder + 1), "; ",
              at, " += ", step, ") {");
    {
      LineWriter::Indent in(out_);
      for (const ir::GridAxis& axis : grid_.axes) Bound(axis);
      if (direct) {
        scope_.vars[grid_.axes[0].var] = {at, Declared()};
      } else {
        LATHE_RETURN_IF_ERROR(Axes());
      }
      LATHE_RETURN_IF_ERROR(PrintCStmt(scope_, grid_.body, fails, out_));
    }
    out_.Line("}");
    LATHE_ASSIGN_OR_RETURN(const std::string elements, PrintHostSize(scope_, count));
    return GridText{absl::StrCat("lathe_blocks(", elements, ")"), "LATHE_BLOCK"};
  }

 private:
  PrimRef Times(PrimRef a, PrimRef b) {
    return analysis::Simplify(ir_, ir_.Make(BinaryOp::kMul, a, ir_.MakeCast(ir::DType::Int(64), b)),
                              scope_.ranges);
  }
  ir::DType Declared() const { return scope_.wide ? ir::DType::Int(64) : ir::DType::Int(32); }

  static bool Is(PrimRef e, int64_t wanted) {
    const auto* number = e->As<ir::IntImm>();
    return number != nullptr && number->value == wanted;
  }

  void Bound(const ir::GridAxis& axis) {
    const analysis::Interval from = analysis::BoundsOf(ir_, axis.min, scope_.ranges);
    const analysis::Interval to = from + analysis::BoundsOf(ir_, axis.extent, scope_.ranges);
    scope_.ranges.Bound(axis.var, {from.lo, to.hi == analysis::kPosInf ? to.hi : to.hi - 1});
  }

  // The number of an element, taken apart: the last axis counts fastest.
  absl::Status Axes() {
    PrimRef behind = ir_.Int(1);  // elements for each value of the axis
    std::vector<std::string> lines(grid_.axes.size());
    for (size_t i = grid_.axes.size(); i-- > 0;) {
      const ir::GridAxis& axis = grid_.axes[i];
      std::string value = "at";
      if (!Is(behind, 1)) {
        LATHE_ASSIGN_OR_RETURN(const CText by, PrintCIndexValue(scope_, behind));
        absl::StrAppend(&value, " / ", by.In(kProduct + 1));
      }
      if (i > 0) {
        LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, axis.extent));
        absl::StrAppend(&value, " % ", extent.In(kProduct + 1));
      }
      if (!Is(axis.min, 0)) {
        LATHE_ASSIGN_OR_RETURN(const CText min, PrintCIndexValue(scope_, axis.min));
        absl::StrAppend(&value, " + ", min.In(kSum + 1));
      }
      const std::string name = scope_.names.Unique(ir::ToString(axis.var));
      lines[i] =
          absl::StrCat("const ", scope_.wide ? "int64_t " : "int32_t ", name, " = ", value, ";");
      scope_.vars[axis.var] = {name, Declared()};
      behind = Times(behind, axis.extent);
    }
    for (const std::string& line : lines) out_.Line(line);
    return absl::OkStatus();
  }

  CScope& scope_;
  ir::Context& ir_;
  const ir::GridStride& grid_;
  LineWriter& out_;
};

}  // namespace

absl::StatusOr<std::string> PrintHostSize(const CScope& scope, PrimRef size) {
  CScope host = scope;
  host.wide = true;
  host.sizes.clear();
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCIndexValue(host, size));
  return text.text;
}

absl::StatusOr<GridText> PrintGridStride(CScope& scope, const ir::GridStride& grid, bool fails,
                                         LineWriter& out) {
  if (!grid.axes.empty()) return GridPrinter(scope, grid, out).Print(fails);
  LATHE_RETURN_IF_ERROR(PrintCStmt(scope, grid.body, fails, out));
  return GridText{"1", "1"};
}

}  // namespace lathe::emit
