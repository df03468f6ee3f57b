#include "generator/reader/relax_text/relax/elaborate_expr.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ops/ops.h"
#include "generator/reader/relax_text/elaboration/module_reference.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_sugar.h"
#include "generator/reader/relax_text/relax/shape_scope.h"
#include "generator/reader/relax_text/relax/tensor_literal.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using TermResult = absl::StatusOr<Term>;

// R.add where it is not called, np.pi, tvm.cpu.
absl::Status QualifiedAsValue(Frame& frame, const ast::Expr& e, const Qualified& name) {
  if (name.space == Space::kRelax && ops::FindSurfaceOp(name.name) != nullptr) {
    return frame.el.Error(e, "op-not-called")
           << "the operator R." << name.name << " is not a value; it can only be called";
  }
  if (name.name.empty()) {
    return frame.el.Error(e, "wrong-kind-of-value") << "a namespace is not a value";
  }
  if (name.space == Space::kRelax) {
    return frame.el.Error(e, "wrong-kind-of-value") << "R." << name.name << " is not a value";
  }
  return HostPython(frame.el, e);
}

TermResult ElaborateName(Frame& frame, const ast::Expr& e, const ast::Name& name) {
  if (const NameEntry* entry = frame.scopes.Find(name.id)) {
    if (entry->failed) return AlreadyDiagnosed();
    if (entry->number != nullptr) return ElaborateTerm(frame, frame.Written(e));
    if (!entry->value.valid()) return Term::Scalar(e);
    frame.NoteUse(e, *entry);
    Term term = Term::Value(ir::Operand{entry->value});
    if (frame.HasScalar(*entry)) term.scalar = &e;
    return term;
  }
  if (const std::optional<ir::GlobalId> global = frame.el.FindGlobal(name.id)) {
    return Term::Value(ir::Operand{*global});
  }
  if (const std::optional<Qualified> qualified = frame.el.namespaces().Qualify(e)) {
    return QualifiedAsValue(frame, e, *qualified);
  }
  if (frame.el.IsModuleAlias(name.id)) {
    return frame.el.Error(e, "wrong-kind-of-value")
           << "the module '" << name.id
           << "' is not a value; refer to one of its functions: " << name.id << ".main";
  }
  return frame.UnknownName(e, name.id);
}

TermResult ElaborateAccess(Frame& frame, const ast::Expr& e, const ast::Attribute& attribute) {
  if (const std::optional<Elaboration::Member> member = frame.el.ModuleMember(e)) {
    LATHE_ASSIGN_OR_RETURN(const ir::GlobalId global, MemberGlobal(frame, e, *member));
    return Term::Value(ir::Operand{global});
  }
  const ast::Expr* root = &e;
  while (const auto* inner = root->As<ast::Attribute>()) root = inner->object;
  const auto* name = root->As<ast::Name>();
  if (name != nullptr && frame.scopes.Find(name->id) == nullptr) {
    if (const std::optional<Qualified> qualified = frame.el.namespaces().Qualify(e)) {
      if (qualified->space == Space::kTir) return Term::Scalar(e);
      return QualifiedAsValue(frame, e, *qualified);
    }
  }
  return ElaborateMember(frame, attribute, nullptr);
}

TermResult ElaborateSubscript(Frame& frame, const ast::Expr& e, const ast::Subscript& subscript) {
  if (IsMetadataReference(e)) {
    LATHE_ASSIGN_OR_RETURN(ir::Operand constant, MetadataOperand(frame.el, e));
    return Term::Value(std::move(constant));
  }
  const ast::Expr& index = frame.Written(*subscript.indices[0]);
  if (subscript.indices.size() != 1 || index.As<ast::Slice>() != nullptr) {
    return frame.el.Unsupported(e, "host-python").Help("R.strided_slice, or R.take")
           << "slicing a value with '[]' is not supported";
  }
  if (const auto* attribute = subscript.object->As<ast::Attribute>();
      attribute != nullptr && (attribute->name == "shape" || attribute->name == "strides")) {
    return ElaborateMember(frame, *attribute, &index);
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand tuple, ElaborateOperand(frame, *subscript.object));
  const auto* number = index.As<ast::Int>();
  constexpr uint64_t kMaxIndex = 1 << 30;
  if (number == nullptr || number->value > kMaxIndex) {
    return frame.el.Error(index, "wrong-kind-of-value")
           << "a tuple index must be a non-negative integer literal, got " << ast::Describe(index);
  }
  return Term::Value(ir::GetField{std::move(tuple), static_cast<int>(number->value)});
}

TermResult ElaborateTuple(Frame& frame, ast::ExprList elements) {
  LATHE_ASSIGN_OR_RETURN(std::vector<ir::Operand> fields, ElaborateOperands(frame, elements));
  return Term::Value(ir::Operand{ir::TupleExpr{std::move(fields)}});
}

TermResult ElaborateBool(Frame& frame, const ast::Expr& e, const ast::BoolOp& op) {
  for (ast::ExprRef value : op.values) {
    LATHE_ASSIGN_OR_RETURN(const Term term, ElaborateTerm(frame, *value));
    if (term.scalar != nullptr) continue;
    return frame.el.Unsupported(e, "host-python")
               .Help(op.op == ast::BoolOpKind::kAnd ? "R.logical_and(x, y)" : "R.logical_or(x, y)")
           << "'" << ast::Spelling(op.op)
           << "' needs a Python bool, but the value is known only at run time";
  }
  return Term::Scalar(e);
}

TermResult ElaborateChoice(Frame& frame, const ast::Expr& e, const ast::IfExp& choice) {
  for (ast::ExprRef part : {choice.condition, choice.then_value, choice.else_value}) {
    LATHE_ASSIGN_OR_RETURN(const Term term, ElaborateTerm(frame, *part));
    if (term.scalar != nullptr) continue;
    return frame.el.Unsupported(e, "host-python").Help("an if statement, or R.where(c, x, y)")
           << "'x if c else y' needs a Python bool, but the value is known only at run time";
  }
  return Term::Scalar(e);
}

}  // namespace

absl::Status HostPython(Elaboration& el, const ast::Expr& e) {
  if (e.As<ast::Ellipsis>() != nullptr) {
    return el.Unsupported(e, "host-python")
           << "'...' is a placeholder for omitted code, which cannot be compiled";
  }
  const std::optional<std::string> name = ast::DottedName(e);
  DiagnosticBuilder error = el.Unsupported(e, "host-python");
  if (name) {
    error << "'" << *name << "'";
  } else {
    error << ast::Describe(e);
  }
  error << " is not supported: programs are parsed, not run";
  return AlreadyDiagnosed();
}

TermResult ElaborateTerm(Frame& frame, const ast::Expr& e) {
  return Match(
      e.node(), [&](const ast::Name& n) { return ElaborateName(frame, e, n); },
      [&](const ast::Int&) -> TermResult { return Term::Scalar(e); },
      [&](const ast::Float&) -> TermResult { return Term::Scalar(e); },
      [&](const ast::Str& n) -> TermResult {
        return Term::Value(ir::Operand{ir::StringImm{std::string(n.value)}});
      },
      [&](const ast::Constant& n) -> TermResult {
        if (n.kind != ast::Constant::Kind::kNone) return Term::Scalar(e);
        return frame.el.Error(e, "wrong-kind-of-value").Help("R.null_value() is the null object")
               << "None is not a value";
      },
      [&](const ast::Ellipsis&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::Tuple& n) { return ElaborateTuple(frame, n.elements); },
      [&](const ast::List& n) { return ElaborateTuple(frame, n.elements); },
      [&](const ast::Set&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::Dict&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::Attribute& n) { return ElaborateAccess(frame, e, n); },
      [&](const ast::Call& n) { return ElaborateCall(frame, e, n); },
      [&](const ast::Subscript& n) { return ElaborateSubscript(frame, e, n); },
      [&](const ast::Slice&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::Unary& n) { return ElaborateUnary(frame, e, n); },
      [&](const ast::Binary& n) { return ElaborateBinary(frame, e, n); },
      [&](const ast::BoolOp& n) { return ElaborateBool(frame, e, n); },
      [&](const ast::Compare& n) { return ElaborateCompare(frame, e, n); },
      [&](const ast::IfExp& n) { return ElaborateChoice(frame, e, n); },
      [&](const ast::Lambda&) -> TermResult {
        return frame.el.Unsupported(e, "host-python")
                   .Help("write a function: @R.function, def f(x: R.Tensor) ...")
               << "a lambda is not supported: programs are parsed, not run";
      },
      [&](const ast::Starred&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::Comprehension&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::FString&) -> TermResult { return HostPython(frame.el, e); },
      [&](const ast::UnsupportedExpr&) -> TermResult { return HostPython(frame.el, e); });
}

absl::StatusOr<ir::Rhs> TermAsRhs(Frame& frame, Term term) {
  if (term.rhs) return *std::move(term.rhs);
  LATHE_ASSIGN_OR_RETURN(const ir::PrimRef scalar, ElaborateShapeScalar(frame, *term.scalar));
  return ir::Rhs(ir::Operand{ir::PrimValue{scalar}});
}

absl::StatusOr<ir::Rhs> ElaborateRhs(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(Term term, ElaborateTerm(frame, e));
  return TermAsRhs(frame, std::move(term));
}

absl::StatusOr<ir::Operand> ElaborateOperand(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, ElaborateRhs(frame, e));
  return frame.Flatten(std::move(rhs), e.span());
}

absl::StatusOr<std::vector<ir::Operand>> ElaborateOperands(Frame& frame, ast::ExprList list) {
  std::vector<ir::Operand> operands;
  operands.reserve(list.size());
  absl::Status failed;
  for (ast::ExprRef e : list) {
    absl::StatusOr<ir::Operand> operand = ElaborateOperand(frame, *e);
    if (operand.ok()) {
      operands.push_back(*std::move(operand));
    } else {
      failed = operand.status();
    }
  }
  if (!failed.ok()) return failed;
  return operands;
}

const ast::ExprList* ElementsOf(const ast::Expr& e) {
  if (const auto* tuple = e.As<ast::Tuple>()) return &tuple->elements;
  if (const auto* list = e.As<ast::List>()) return &list->elements;
  return nullptr;
}

}  // namespace lathe::relax_text
