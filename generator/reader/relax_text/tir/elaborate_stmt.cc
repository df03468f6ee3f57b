#include "generator/reader/relax_text/tir/elaborate_stmt.h"

#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/tir/elaborate_call_stmt.h"
#include "generator/reader/relax_text/tir/elaborate_loop.h"
#include "generator/reader/relax_text/tir/elaborate_tir_assign.h"
#include "generator/reader/relax_text/tir/elaborate_with.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

absl::Status Condition(StmtElaborator& s, const ast::Expr& e, PrimRef& cond) {
  LATHE_ASSIGN_OR_RETURN(cond, s.scalars().Scalar(e));
  if (cond->dtype().is_scalar() && (cond->dtype().is_bool() || cond->dtype().is_integer())) {
    return absl::OkStatus();
  }
  return s.el().Error(e, "condition-type")
         << "a condition must be bool or an integer, got " << ir::ToString(cond->dtype());
}

void ElaborateStaticIf(StmtElaborator& s, const ast::Stmt& stmt, const ast::If& choice) {
  const absl::StatusOr<ScalarValue> value = s.scalars().Eval(*choice.condition);
  const bool* known = value.ok() ? value->As<bool>() : nullptr;
  if (known != nullptr) {
    // Decided where the program is read, as Python does it, so without a scope of its own.
    for (const ast::StmtRef inner : *known ? choice.then_body : choice.else_body) {
      ElaborateStmt(s, *inner);
    }
    return;
  }
  ir::IfStmt out;
  out.cond = s.context().Bool(true);
  if (value.ok()) {
    const auto cond = ToScalar(s.el(), *choice.condition, *value, ir::DType::Int(32));
    if (cond.ok()) {
      out.cond = *cond;
      const ir::DType type = out.cond->dtype();
      if (!type.is_scalar() || (!type.is_bool() && !type.is_integer())) {
        s.el().Error(*choice.condition, "condition-type")
            << "a condition must be bool or an integer, got " << ir::ToString(type);
      }
    }
  }
  out.then_case = s.Body(choice.then_body);
  if (!choice.else_body.empty()) out.else_case = s.Body(choice.else_body);
  s.Emit(std::move(out), stmt.span());
}

absl::Status ElaborateWhile(StmtElaborator& s, const ast::Stmt& stmt, const ast::While& loop) {
  if (!loop.else_body.empty()) {
    return s.el().diags().Unsupported(stmt.span(), "host-python")
           << "a while loop with an 'else' is not supported";
  }
  ir::WhileStmt out;
  const absl::Status status = Condition(s, *loop.condition, out.cond);
  out.body = s.Body(loop.body);
  LATHE_RETURN_IF_ERROR(status);
  s.Emit(std::move(out), stmt.span());
  return absl::OkStatus();
}

absl::Status ElaborateReturn(StmtElaborator& s, const ast::Stmt& stmt, const ast::Return& ret) {
  ir::ReturnStmt out;
  if (ret.value != nullptr && !IsNone(*ret.value)) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(*ret.value));
    LATHE_ASSIGN_OR_RETURN(out.value, ToScalar(s.el(), *ret.value, value, ir::DType::Int(32)));
    // A bare number has the type that the function returns.
    if (s.func().ret && value.is_number()) {
      out.value = Convert(s.context(), *s.func().ret, out.value);
    }
  }
  s.Emit(out, stmt.span());
  return absl::OkStatus();
}

// assert c, "text"     |     assert c, ("RuntimeError", ["a", "b"])
absl::Status ElaborateAssert(StmtElaborator& s, const ast::Stmt& stmt, const ast::Assert& assert) {
  ir::AssertStmt out;
  LATHE_RETURN_IF_ERROR(Condition(s, *assert.condition, out.cond));
  if (assert.message != nullptr) {
    LATHE_RETURN_IF_ERROR(ElaborateAssertMessage(s, *assert.message, out));
  }
  s.Emit(std::move(out), stmt.span());
  return absl::OkStatus();
}

void Refuse(StmtElaborator& s, const ast::Stmt& stmt) {
  s.el().diags().Unsupported(stmt.span(), "host-python")
      << ast::Describe(stmt) << " in a PrimFunc is not supported: programs are parsed, not run";
}

}  // namespace

void ElaborateStmt(StmtElaborator& s, const ast::Stmt& stmt) {
  // Grids nest loops without nesting text.
  if (s.depth() > kMaxStmtDepth) {
    s.el().diags().LimitExceeded(stmt.span(), "limit-nesting")
        << "loops and other statements may be nested " << kMaxStmtDepth << " deep";
    return;
  }
  Match(
      stmt.node(), [&](const ast::Import&) { Refuse(s, stmt); },
      [&](const ast::FunctionDef& def) {
        Refuse(s, stmt);
        s.scope().BindFailed(def.name, def.name_span);
      },
      [&](const ast::ClassDef&) { Refuse(s, stmt); },
      [&](const ast::Assign& n) { ElaborateTirAssign(s, stmt, n); },
      [&](const ast::AnnAssign& n) { ElaborateTirAnnAssign(s, stmt, n); },
      [&](const ast::AugAssign& n) { ElaborateTirAugAssign(s, stmt, n); },
      [&](const ast::ExprStmt& n) { ElaborateCallStmt(s, stmt, *n.value); },
      [&](const ast::Return& n) { ElaborateReturn(s, stmt, n).IgnoreError(); },
      [&](const ast::If& n) { ElaborateStaticIf(s, stmt, n); },
      [&](const ast::For& n) { ElaborateLoop(s, stmt, n); },
      [&](const ast::While& n) { ElaborateWhile(s, stmt, n).IgnoreError(); },
      [&](const ast::With& n) { ElaborateWith(s, stmt, n); },
      [&](const ast::Assert& n) { ElaborateAssert(s, stmt, n).IgnoreError(); },
      [&](const ast::Pass&) {}, [&](const ast::Break&) { s.Emit(ir::BreakStmt(), stmt.span()); },
      [&](const ast::Continue&) { s.Emit(ir::ContinueStmt(), stmt.span()); },
      [&](const ast::UnsupportedStmt&) { Refuse(s, stmt); });
}

}  // namespace lathe::relax_text
