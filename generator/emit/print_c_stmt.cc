#include "generator/emit/print_c_stmt.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "generator/emit/c_types.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

absl::Status Cannot(absl::string_view what) {
  return absl::UnimplementedError(
      absl::StrCat(what,
                   " cannot be printed as C yet; supported: loops that are not bound to "
                   "threads, blocks, stores, 'if', scalar bindings"));
}

bool IsOne(PrimRef e) {
  const auto* n = e->As<ir::IntImm>();
  return n != nullptr && n->value == 1;
}

class Printer {
 public:
  Printer(CScope& scope, CNames& names, LineWriter& out)
      : scope_(scope), names_(names), out_(out) {}

  absl::Status Print(ir::StmtRef stmt) {
    return Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (ir::StmtRef child : s.stmts) LATHE_RETURN_IF_ERROR(Print(child));
          return absl::OkStatus();
        },
        [&](const ir::ForStmt& s) { return Loop(s); },
        [&](const ir::BlockStmt& s) { return Block(s); },
        [&](const ir::StoreStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string element,
                                 PrintCElement(scope_, s.buffer, s.indices));
          LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, s.value));
          out_.Line(element, " = ", value, ";");
          return absl::OkStatus();
        },
        [&](const ir::LetStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, s.value));
          if (CType(s.var->dtype()).empty()) return Cannot(ir::ToString(s.var->dtype()));
          const std::string name = names_.Unique(ir::ToString(s.var));
          out_.Line("const ", CType(s.var->dtype()), " ", name, " = ", value, ";");
          scope_.vars[s.var] = name;
          return s.body == nullptr ? absl::OkStatus() : Print(s.body);
        },
        [&](const ir::IfStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCExpr(scope_, s.cond));
          out_.Line("if (", cond, ") {");
          LATHE_RETURN_IF_ERROR(Nested(s.then_case));
          if (s.else_case != nullptr) {
            out_.Line("} else {");
            LATHE_RETURN_IF_ERROR(Nested(s.else_case));
          }
          out_.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::EvaluateStmt& s) {
          return s.value->As<ir::IntImm>() != nullptr ? absl::OkStatus()
                                                      : Cannot(ir::ToString(s.value));
        },
        [&](const auto&) { return Cannot("this statement"); });
  }

 private:
  absl::Status Nested(ir::StmtRef stmt) {
    LineWriter::Indent in(out_);
    return Print(stmt);
  }

  absl::Status Loop(const ir::ForStmt& s) {
    const auto* min = s.min->As<ir::IntImm>();
    const auto* extent = s.extent->As<ir::IntImm>();
    const bool fits = min != nullptr && extent != nullptr && min->value >= 0 &&
                      extent->value <= std::numeric_limits<int32_t>::max() - min->value;
    if (s.kind == ir::LoopKind::kThreadBinding || !fits || (s.step && !IsOne(s.step))) {
      return Cannot(absl::StrCat("the loop over '", ir::ToString(s.var), "'"));
    }
    const std::string name = names_.Unique(ir::ToString(s.var));
    scope_.vars[s.var] = name;
    scope_.ranges.Bound(s.var, {min->value, min->value + extent->value - 1});
    out_.Line("for (int32_t ", name, " = ", min->value, "; ", name, " < ",
              min->value + extent->value, "; ++", name, ") {");
    LATHE_RETURN_IF_ERROR(Nested(s.body));
    out_.Line("}");
    return absl::OkStatus();
  }

  absl::Status Block(const ir::BlockStmt& s) {
    if (!s.allocs.empty() || !s.matches.empty() || !s.realized) {
      return Cannot(absl::StrCat("block '", s.name, "' with buffers of its own"));
    }
    std::string first;  // true where every reduction starts
    for (const ir::BlockAxis& axis : s.axes) {
      scope_.axes[axis.var] = ExpandAxes(scope_, axis.binding);
      if (axis.kind != ir::AxisKind::kReduce || s.init == nullptr) continue;
      const PrimRef starts =
          scope_.ir.Make(ir::BinaryOp::kEq, scope_.axes[axis.var], ExpandAxes(scope_, axis.min));
      LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCExpr(scope_, starts));
      absl::StrAppend(&first, first.empty() ? "" : " && ", text);
    }
    if (s.predicate != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCExpr(scope_, s.predicate));
      out_.Line("if (", cond, ") {");
      LATHE_RETURN_IF_ERROR(InitAndBody(s, first, 1));
      out_.Line("}");
      return absl::OkStatus();
    }
    return InitAndBody(s, first, 0);
  }

  absl::Status InitAndBody(const ir::BlockStmt& s, const std::string& first, int depth) {
    if (depth > 0) {
      LineWriter::Indent in(out_);
      return InitAndBody(s, first, 0);
    }
    if (s.init != nullptr && !first.empty()) {
      out_.Line("if (", first, ") {");
      LATHE_RETURN_IF_ERROR(Nested(s.init));
      out_.Line("}");
    } else if (s.init != nullptr) {
      LATHE_RETURN_IF_ERROR(Print(s.init));
    }
    return Print(s.body);
  }

  CScope& scope_;
  CNames& names_;
  LineWriter& out_;
};

}  // namespace

absl::Status PrintCStmt(CScope& scope, CNames& names, ir::StmtRef stmt, LineWriter& out) {
  return Printer(scope, names, out).Print(stmt);
}

}  // namespace lathe::emit
