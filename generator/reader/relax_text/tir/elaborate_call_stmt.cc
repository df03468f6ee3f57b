#include "generator/reader/relax_text/tir/elaborate_call_stmt.h"

#include "generator/ir/scope_id.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/tir/attr_names.h"
#include "generator/reader/relax_text/tir/elaborate_sblock.h"
#include "generator/reader/relax_text/tir/elaborate_scope_id.h"
#include "generator/reader/relax_text/tir/elaborate_store.h"
#include "generator/reader/relax_text/tir/elaborate_tir_frame.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

absl::Status FuncAttr(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.func_attr", "attrs"));
  LATHE_ASSIGN_OR_RETURN(const ir::AttrMap attrs, ElaborateAttrMap(s, args["attrs"]));
  for (const auto& [key, value] : attrs) {
    if (!s.func().attrs.emplace(key, value).second) {
      return s.el().Error(e, "duplicate-attribute")
             << "the attribute '" << key << "' is specified more than once";
    }
  }
  return absl::OkStatus();
}

// Jumps are intrinsics in the older spellings, and statements in any.
void EmitEvaluate(StmtElaborator& s, PrimRef value, const TextSpan& span) {
  const auto* call = value->As<ir::Intrinsic>();
  if (call != nullptr && call->name == "break_loop") return s.Emit(ir::BreakStmt(), span);
  if (call != nullptr && call->name == "continue_loop") return s.Emit(ir::ContinueStmt(), span);
  if (call != nullptr && call->name == "ret") {
    return s.Emit(ir::ReturnStmt{call->args.empty() ? nullptr : call->args[0]}, span);
  }
  s.Emit(ir::EvaluateStmt{value}, span);
}

absl::Status Evaluate(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
  // Documentation, or a value of no use: T.meta-programs leave them.
  if (value.is_none() || value.As<std::string>() != nullptr) return absl::OkStatus();
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), e, value, ir::DType::Int(32)));
  EmitEvaluate(s, scalar, stmt.span());
  return absl::OkStatus();
}

absl::Status CallStatement(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e,
                           absl::string_view function) {
  if (function == "func_attr") return FuncAttr(s, e);
  if (IsBlockStatement(function)) return ElaborateBlockStatement(s, e, function);
  if (IsAxis(function)) return ElaborateAxis(s, e, function, nullptr).status();
  if (ir::IsScopeId(function)) return ElaborateScopeId(s, e, function, nullptr).status();
  if (function == "evaluate") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.evaluate", "value"));
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, s.scalars().Argument(args["value"]));
    if (const auto* region = value->As<ir::RegionArg>()) {
      return s.el().Error(args["value"], "buffer-not-indexed")
             << "the buffer '" << region->buffer->name << "' is used as a scalar";
    }
    EmitEvaluate(s, value, stmt.span());
    return absl::OkStatus();
  }
  if (function == "Return" || function == "ret") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.ret", "value"));
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, s.scalars().Scalar(args["value"]));
    s.Emit(ir::ReturnStmt{value}, stmt.span());
    return absl::OkStatus();
  }
  if (function == "Break" || function == "Continue") {
    if (function == "Break") s.Emit(ir::BreakStmt(), stmt.span());
    if (function == "Continue") s.Emit(ir::ContinueStmt(), stmt.span());
    return absl::OkStatus();
  }
  if (function == "buffer_store") return ElaborateBufferStore(s, stmt, e);
  return Evaluate(s, stmt, e);
}

}  // namespace

void ElaborateCallStmt(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e) {
  if (e.As<ast::Str>() != nullptr || e.As<ast::Ellipsis>() != nullptr) return;
  const auto* call = e.As<ast::Call>();
  const auto function = call == nullptr ? std::nullopt : s.scalars().TirName(*call->callee);
  if (function) {
    const auto frame = ElaborateTirFrame(s, e, "v");
    if (!frame.ok()) return;
    if (frame->has_value()) {
      if ((*frame)->make) s.Emit((*frame)->make(nullptr), stmt.span());
      return;
    }
    CallStatement(s, stmt, e, *function).IgnoreError();
    return;
  }
  const auto* method = call == nullptr ? nullptr : call->callee->As<ast::Attribute>();
  if (method != nullptr && method->name == "vstore") {
    ElaborateVectorStore(s, stmt, e).IgnoreError();
    return;
  }
  Evaluate(s, stmt, e).IgnoreError();
}

absl::Status ElaborateAssertMessage(StmtElaborator& s, const ast::Expr& e, ir::AssertStmt& out) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
  const ScalarList* list = value.list();
  const ScalarValue* parts = &value;
  if (list != nullptr && list->size() == 2 && (*list)[1].list() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(out.kind, ToString(s.el(), e, (*list)[0]));
    parts = &(*list)[1];
  }
  if (parts->list() == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const std::string text, ToString(s.el(), e, *parts));
    out.messages.push_back(text);
    return absl::OkStatus();
  }
  for (const ScalarValue& part : *parts->list()) {
    LATHE_ASSIGN_OR_RETURN(const std::string text, ToString(s.el(), e, part));
    out.messages.push_back(text);
  }
  return absl::OkStatus();
}

}  // namespace lathe::relax_text
