#include "generator/reader/relax_text/relax/elaborate_call.h"

#include "absl/strings/str_cat.h"
#include "generator/ops/ops.h"
#include "generator/ops/sugar.h"
#include "generator/reader/relax_text/elaboration/module_reference.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_literal_call.h"
#include "generator/reader/relax_text/relax/elaborate_op_call.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using TermResult = absl::StatusOr<Term>;

const ast::Name* RootName(const ast::Expr& e) {
  const ast::Expr* root = &e;
  while (const auto* attribute = root->As<ast::Attribute>()) root = attribute->object;
  return root->As<ast::Name>();
}

struct HostName {
  absl::string_view name;
  absl::string_view instead;
};
constexpr HostName kHostMethods[] = {
    {"emit", "bind the value: y = ..."},
    {"emit_te", "write the PrimFunc, and call it with R.call_tir"},
    {"emit_with_sinfo", "call the operator: R.call_builtin_with_ctx(...) and the like"},
    {"emit_with_ty", "call the operator: R.call_builtin_with_ctx(...) and the like"},
    {"emit_with_type", "call the operator: R.call_builtin_with_ctx(...) and the like"},
    {"emit_match_cast", "x = R.match_cast(value, info)"},
    {"emit_var_binding", "bind the value: y = ..."},
    {"macro", "write the statements where they are used"},
    {"meta_var", "write the value where it is used"},
    {"lookup_vdevice", "name the device: \"cuda:0\""},
    {"rewriter", "write the rewritten function"},
    {"If", "an if statement"},
    {"Then", "an if statement"},
    {"Else", "an if statement"},
    {"SeqExpr", "write the statements where they are used"},
};

TermResult UnknownSurface(Frame& frame, const ast::Expr& e, const ast::Call& call,
                          absl::string_view name) {
  for (const HostName& host : kHostMethods) {
    if (name != host.name) continue;
    return frame.el.Unsupported(e, "host-python").Help(host.instead)
           << "R." << name
           << " executes Python, which is not supported: programs are parsed, not run";
  }
  for (absl::string_view statement : {"func_attr", "output", "outputs", "dataflow"}) {
    if (name != statement) continue;
    return frame.el.Error(e, "misplaced-statement")
           << "R." << name << " is a statement and cannot be used as an expression";
  }
  if (IsStructInfo(frame, e)) {
    return frame.el.Error(e, "wrong-kind-of-value") << "a StructInfo cannot be used as a value";
  }
  std::vector<absl::string_view> known;
  for (const ir::Op& op : ops::AllOps()) {
    known.push_back(absl::string_view(op.name).substr(sizeof("relax.") - 1));
  }
  for (const ops::Sugar& sugar : ops::AllSugar()) known.push_back(sugar.spelling);
  return frame.el.Error(*call.callee, "unknown-operator")
         << "unknown operator R." << name << DidYouMean(name, known);
}

TermResult SurfaceCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                       absl::string_view name) {
  if (IsLiteralCall(name)) {
    LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, ElaborateLiteralCall(frame, e, name));
    return Term::Value(std::move(rhs));
  }
  if (const ops::Sugar* sugar = ops::FindSugar(name)) {
    LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, ElaborateSugarCall(frame, e, call, *sugar));
    return Term::Value(std::move(rhs));
  }
  if (const ir::Op* op = ops::FindSurfaceOp(name)) {
    LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, ElaborateOpCall(frame, e, call, *op));
    return Term::Value(std::move(rhs));
  }
  return UnknownSurface(frame, e, call, name);
}

// Elaborates x.astype("float16"). Returns nullopt for other methods.
std::optional<TermResult> MethodCall(Frame& frame, const ast::Expr& e, const ast::Call& call) {
  const auto* method = call.callee->As<ast::Attribute>();
  if (method == nullptr || method->name != "astype") return std::nullopt;
  // x.astype(t) means R.astype(x, t).
  std::vector<ast::ExprRef> args = {method->object};
  args.insert(args.end(), call.args.begin(), call.args.end());
  const ast::Call whole{call.callee, frame.el.tree().CopyList(args), call.keywords};
  return SurfaceCall(frame, e, whole, "astype");
}

// Reads the keywords that are allowed in calls of functions.
absl::Status ReadCallKeywords(Frame& frame, const ast::Call& call, ir::Call& out) {
  for (const ast::Keyword& keyword : call.keywords) {
    if (keyword.name == "sinfo_args" || keyword.name == "ty_args") {
      LATHE_ASSIGN_OR_RETURN(out.sinfo_args, ElaborateInfoList(frame, *keyword.value));
      out.sinfo_loc = keyword.value->span();
      continue;
    }
    return frame.el.diags().Error(keyword.name_span, "wrong-arguments")
           << "a function call does not accept the keyword argument '" << keyword.name << "'";
  }
  return absl::OkStatus();
}

TermResult DirectCall(Frame& frame, const ast::Call& call) {
  LATHE_ASSIGN_OR_RETURN(ir::Operand callee, ElaborateOperand(frame, *call.callee));
  ir::Call out;
  if (const auto* value = callee.As<ir::ValueId>()) {
    out.callee = *value;
  } else if (const auto* global = callee.As<ir::GlobalId>()) {
    out.callee = *global;
  } else if (const auto* external = callee.As<ir::ExternFunc>()) {
    out.callee = *external;
  } else {
    return frame.el.Error(*call.callee, "not-a-function")
           << ast::Describe(*call.callee) << " cannot be called";
  }
  LATHE_ASSIGN_OR_RETURN(out.args, ElaborateOperands(frame, call.args));
  LATHE_RETURN_IF_ERROR(ReadCallKeywords(frame, call, out));
  return Term::Value(ir::Rhs(std::move(out)));
}

}  // namespace

std::optional<std::string> SurfaceName(const Frame& frame, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return std::nullopt;
  const ast::Name* root = RootName(*call->callee);
  if (root == nullptr || frame.scopes.Find(root->id) != nullptr) return std::nullopt;
  if (std::optional<Qualified> name = frame.el.namespaces().Qualify(*call->callee)) {
    if (name->space != Space::kRelax) return std::nullopt;
    return std::move(name->name);
  }
  if (frame.el.FindGlobal(root->id) || frame.el.IsModuleAlias(root->id)) return std::nullopt;
  std::optional<std::string> bare = ast::DottedName(*call->callee);
  if (!bare) return std::nullopt;
  const bool known = IsLiteralCall(*bare) || ops::FindSugar(*bare) != nullptr ||
                     ops::FindSurfaceOp(*bare) != nullptr || *bare == "call_packed" ||
                     *bare == "match_shape" || *bare == "match_cast";
  if (!known) return std::nullopt;
  return bare;
}

absl::StatusOr<Term> ElaborateCall(Frame& frame, const ast::Expr& e, const ast::Call& call) {
  for (ast::ExprRef arg : call.args) {
    if (arg->As<ast::Starred>() != nullptr) return HostPython(frame.el, *arg);
  }
  for (const ast::Keyword& keyword : call.keywords) {
    if (!keyword.name.empty()) continue;
    return frame.el.Unsupported(*keyword.value, "host-python")
           << "unpacking with '**' is not supported; list the keyword arguments";
  }
  if (const std::optional<std::string> surface = SurfaceName(frame, e)) {
    return SurfaceCall(frame, e, call, *surface);
  }
  if (frame.el.ModuleMember(*call.callee)) return DirectCall(frame, call);
  const ast::Name* root = RootName(*call.callee);
  if (root != nullptr && frame.scopes.Find(root->id) == nullptr) {
    if (const auto qualified = frame.el.namespaces().Qualify(*call.callee)) {
      if (qualified->space == Space::kTir) return Term::Scalar(e);
      if (qualified->name == "meta_var") return UnknownSurface(frame, e, call, "meta_var");
      return HostPython(frame.el, *call.callee);
    }
    // These builtins denote scalars: float("inf"), min(n, 4). Unsupported ones are diagnosed where
    // the scalar is elaborated.
    for (absl::string_view builtin : {"float", "int", "bool", "min", "max", "len"}) {
      if (root->id == builtin && !frame.el.FindGlobal(builtin)) return Term::Scalar(e);
    }
  }
  if (std::optional<TermResult> method = MethodCall(frame, e, call)) return *std::move(method);
  return DirectCall(frame, call);
}

}  // namespace lathe::relax_text
