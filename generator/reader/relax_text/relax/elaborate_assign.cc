#include "generator/reader/relax_text/relax/elaborate_assign.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/reader/relax_text/relax/elaborate_sugar.h"
#include "generator/reader/relax_text/relax/tensor_literal.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// Declares every name in `target` as failed.
void DefineAllFailed(Frame& frame, const ast::Expr& target) {
  if (const auto* name = target.As<ast::Name>()) {
    frame.DefineFailed(name->id, target.span());
  } else if (const ast::ExprList* elements = ElementsOf(target)) {
    for (ast::ExprRef element : *elements) DefineAllFailed(frame, *element);
  }
}

const ast::Name* TargetName(Frame& frame, const ast::Expr& target) {
  const auto* name = target.As<ast::Name>();
  if (name == nullptr) {
    frame.el.Unsupported(target, "host-python")
        << "the target of an assignment must be a name or a tuple of names, got "
        << ast::Describe(target);
    DefineAllFailed(frame, target);
  }
  return name;
}

// Declares a shape variable: n = T.int64(). If the name already denotes a scalar, that scalar is
// kept; a shape variable of another dtype is diagnosed. Returns false if `value` is not such a
// declaration.
bool DeclareShapeVar(Frame& frame, const ast::Expr& target, const ast::Expr& value) {
  const std::optional<ir::DType> dtype = DeclaredShapeVar(frame.el, value);
  const auto* name = target.As<ast::Name>();
  if (!dtype || name == nullptr) return false;
  const NameEntry* entry = frame.scopes.Find(name->id);
  if (entry != nullptr && !entry->failed && entry->number == nullptr) {
    const ir::PrimRef known = frame.ScalarOf(*entry);
    if (known != nullptr && known->dtype() != *dtype && !entry->value.valid()) {
      frame.el.Error(target, "wrong-kind-of-value").Note(entry->span, "bound here")
          << "'" << name->id << "' already has dtype " << ir::ToString(known->dtype()) << ", not "
          << ir::ToString(*dtype);
    }
    if (known != nullptr) return true;
  }
  frame.scopes.BindShapeVar(name->id, frame.el.context().NewVar(name->id, *dtype), target.span());
  return true;
}

// Returns true for k = TypeVar("k"), which TVM prints before a nested function.
bool IsTypeVarCall(const ast::Expr& value) {
  const auto* call = value.As<ast::Call>();
  if (call == nullptr) return false;
  const std::optional<std::string> callee = ast::DottedName(*call->callee);
  return callee == "TypeVar" || callee == "typing.TypeVar";
}

// Returns true for n = I.meta_var(T.int64(16)), which names a scalar at compile time.
bool IsScalarAlias(const Frame& frame, const ast::Expr& value) {
  const auto* call = value.As<ast::Call>();
  if (call == nullptr || call->args.size() != 1) return false;
  const std::optional<Qualified> callee = frame.el.namespaces().Qualify(*call->callee);
  return callee && callee->name == "meta_var";
}

bool NameScalar(Frame& frame, const ast::Expr& target, const ast::Expr& value) {
  const auto* name = target.As<ast::Name>();
  if (name == nullptr || !IsScalarAlias(frame, value)) return false;
  absl::StatusOr<ir::PrimRef> scalar = ElaborateShapeScalar(frame, *value.As<ast::Call>()->args[0]);
  if (scalar.ok()) {
    frame.scopes.BindShapeVar(name->id, *scalar, target.span());
  } else {
    frame.DefineFailed(name->id, target.span());
  }
  return true;
}

// Elaborates an assigned value. The annotation determines the type of a number, and whether a tuple
// is a shape.
absl::StatusOr<ir::Rhs> ElaborateAssigned(Frame& frame, const ast::Expr& value,
                                          ir::StructInfoRef annotation) {
  Elaboration& el = frame.el;
  if (annotation != nullptr && annotation->As<ir::ShapeInfo>() != nullptr) {
    if (const ast::ExprList* elements = ElementsOf(value)) {
      LATHE_ASSIGN_OR_RETURN(std::vector<ir::PrimRef> dims,
                             ElaborateDims(frame, *elements, DimPlace::kUse));
      return ir::Rhs(ir::Operand{ir::ShapeExpr{std::move(dims)}});
    }
  }
  const auto* prim = annotation == nullptr ? nullptr : annotation->As<ir::PrimInfo>();
  if (IsNumber(value) && prim == nullptr) {
    // A number without an annotation is read like R.const(number).
    LATHE_ASSIGN_OR_RETURN(ir::Constant constant, ReadTensorLiteral(el, value, std::nullopt));
    return ir::Rhs(ir::Operand{el.module().constants.Add(std::move(constant))});
  }
  if (IsNumber(value) && prim->dtype.is_integer()) {
    LATHE_ASSIGN_OR_RETURN(const ir::PrimRef scalar,
                           ElaborateShapeScalar(frame, value, NewNames::kRefuse, prim->dtype));
    return ir::Rhs(ir::Operand{ir::PrimValue{scalar}});
  }
  LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, ElaborateRhs(frame, value));
  if (IsNumber(value) && prim->dtype.is_floating()) {
    const ir::PrimRef scalar = std::get<ir::Operand>(rhs).As<ir::PrimValue>()->value;
    if (const auto* real = scalar->As<ir::FloatImm>()) {
      return ir::Rhs(ir::Operand{ir::PrimValue{el.context().Float(real->value, prim->dtype)}});
    }
  }
  return rhs;
}

// Adds the dtype of `annotation` to a match_shape: y: R.Tensor[(m,), "float32"] = R.match_shape(x,
// (m,)) also matches the dtype.
void TakeMatchedDType(Frame& frame, const ast::Expr& value, ir::StructInfoRef annotation,
                      ir::Rhs& rhs) {
  auto* cast = std::get_if<ir::MatchCast>(&rhs);
  const auto* said = annotation->As<ir::TensorInfo>();
  if (cast == nullptr || said == nullptr || SurfaceName(frame, value) != "match_shape") return;
  const auto* matched = cast->info->As<ir::TensorInfo>();
  if (matched == nullptr || matched->dims() == nullptr || !matched->dtype.is_void()) return;
  cast->info = frame.el.context().Tensor(*matched->dims(), said->dtype);
}

void AssignName(Frame& frame, const ast::Expr& target, const ast::Expr& value,
                ast::ExprRef annotation_at) {
  const ast::Name* name = TargetName(frame, target);
  if (name == nullptr) return;
  // The annotation is read after a cast, which may bind its shape variables, but before a literal,
  // whose type it determines.
  const bool literal = IsNumber(value) || ElementsOf(value) != nullptr;
  ir::StructInfoRef annotation = nullptr;
  const auto read_annotation = [&] {
    if (annotation_at == nullptr) return;
    absl::StatusOr<ir::StructInfoRef> info =
        ElaborateStructInfo(frame, *annotation_at, DimPlace::kUse);
    if (info.ok()) annotation = *info;
  };
  if (literal) read_annotation();
  absl::StatusOr<ir::Rhs> rhs = ElaborateAssigned(frame, value, annotation);
  if (!literal) read_annotation();
  if (rhs.ok() && annotation != nullptr) TakeMatchedDType(frame, value, annotation, *rhs);
  if (!rhs.ok()) {
    frame.DefineFailed(name->id, target.span());
    return;
  }
  frame.Define(target, name->id, *std::move(rhs), value.span(), annotation_at, annotation);
}

// Elaborates a, b = R.add(x, y), R.add(y, x). All right-hand sides are elaborated before the first
// name is bound.
void AssignEach(Frame& frame, ast::ExprList targets, ast::ExprList values) {
  std::vector<absl::StatusOr<ir::Rhs>> results;
  for (size_t i = 0; i < values.size(); ++i) {
    if (DeclaredShapeVar(frame.el, *values[i]) || NameScalar(frame, *targets[i], *values[i])) {
      results.push_back(AlreadyDiagnosed());
    } else {
      results.push_back(ElaborateAssigned(frame, *values[i], nullptr));
    }
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    if (DeclareShapeVar(frame, *targets[i], *values[i])) continue;
    if (IsScalarAlias(frame, *values[i])) continue;
    const ast::Name* name = TargetName(frame, *targets[i]);
    if (name == nullptr) continue;
    if (results[i].ok()) {
      frame.Define(*targets[i], name->id, *std::move(results[i]), values[i]->span(), nullptr,
                   nullptr);
    } else {
      frame.DefineFailed(name->id, targets[i]->span());
    }
  }
}

void AssignFields(Frame& frame, ast::ExprList targets, const ir::Operand& tuple, TextSpan span) {
  for (size_t i = 0; i < targets.size(); ++i) {
    const ast::Name* name = TargetName(frame, *targets[i]);
    if (name == nullptr) continue;
    frame.Define(*targets[i], name->id, ir::GetField{tuple, static_cast<int>(i)}, span, nullptr,
                 nullptr);
  }
}

void AssignTuple(Frame& frame, const ast::Expr& target, ast::ExprList targets,
                 const ast::Expr& value) {
  const ast::ExprList* values = ElementsOf(value);
  if (values != nullptr && values->size() == targets.size()) {
    return AssignEach(frame, targets, *values);
  }
  if (values != nullptr) {
    frame.el.Error(value, "tuple-size-mismatch")
        << CountOf(targets.size(), "name") << " on the left, " << values->size()
        << " values on the right";
    return DefineAllFailed(frame, target);
  }
  absl::StatusOr<ir::Operand> tuple = ElaborateOperand(frame, value);
  if (!tuple.ok()) return DefineAllFailed(frame, target);
  AssignFields(frame, targets, *tuple, value.span());
}

// n: T.int64 = T.int64()
void CheckDeclaredType(Frame& frame, const ast::Expr& value, const ast::Expr& annotation) {
  absl::StatusOr<ir::StructInfoRef> info = ElaborateStructInfo(frame, annotation, DimPlace::kUse);
  if (!info.ok()) return;
  const auto* prim = (*info)->As<ir::PrimInfo>();
  const ir::DType declared = *DeclaredShapeVar(frame.el, value);
  if (prim != nullptr && prim->dtype == declared) return;
  frame.el.Error(annotation, "wrong-kind-of-value")
      << "the variable is declared with dtype " << ir::ToString(declared)
      << ", but its value has dtype " << ir::ToString(*info);
}

void AssignTarget(Frame& frame, const ast::Expr& target, const ast::Expr& assigned,
                  ast::ExprRef annotation) {
  const ast::Expr& value = frame.Written(assigned);
  if (DeclaredShapeVar(frame.el, value) && annotation != nullptr) {
    CheckDeclaredType(frame, value, *annotation);
  }
  if (DeclareShapeVar(frame, target, value) || NameScalar(frame, target, value)) return;
  if (const ast::ExprList* elements = ElementsOf(target)) {
    return AssignTuple(frame, target, *elements, value);
  }
  AssignName(frame, target, value, annotation);
}

}  // namespace

void ElaborateAssign(Frame& frame, const ast::Assign& assign) {
  const ast::Expr& first = *assign.targets[0];
  if (const auto* name = assign.value->As<ast::Name>(); name != nullptr &&
                                                        frame.scopes.Find(name->id) == nullptr &&
                                                        frame.el.IsModuleAlias(name->id)) {
    if (const ast::Name* alias = TargetName(frame, first)) frame.el.AddModuleAlias(alias->id);
    return;
  }
  if (const auto* type_var = first.As<ast::Name>();
      type_var != nullptr && IsTypeVarCall(*assign.value)) {
    if (!frame.el.IsTypeVar(type_var->id)) frame.el.AddTypeVar(type_var->id, first.span());
    return;
  }
  if (assign.targets.size() > 1) {
    frame.el.Unsupported(*assign.targets[1], "host-python")
        << "chained assignment is not supported; write one assignment for each target";
    for (ast::ExprRef target : assign.targets) DefineAllFailed(frame, *target);
    return;
  }
  AssignTarget(frame, first, *assign.value, nullptr);
}

void ElaborateAnnAssign(Frame& frame, const ast::Stmt& s, const ast::AnnAssign& assign) {
  if (assign.value == nullptr) {
    frame.el.diags().Error(s.span(), "statement-without-effect")
        << "an annotation without a value binds nothing";
    return DefineAllFailed(frame, *assign.target);
  }
  AssignTarget(frame, *assign.target, *assign.value, assign.annotation);
}

void ElaborateAugAssign(Frame& frame, const ast::Stmt& s, const ast::AugAssign& assign) {
  const ast::Name* name = TargetName(frame, *assign.target);
  if (name == nullptr) return;
  // As an expression of its own: what the name stands for may be a scalar.
  const ast::Expr* sum = frame.el.tree().Add(
      s.span(), ast::Binary{assign.op, assign.op_span, assign.target, assign.value});
  AssignName(frame, *assign.target, *sum, nullptr);
}

}  // namespace lathe::relax_text
