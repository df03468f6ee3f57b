#include "generator/reader/relax_text/shape_scope.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaborate_scalar.h"
#include "generator/reader/relax_text/limits.h"
#include "generator/reader/relax_text/parse.h"
#include "generator/support/closest_name.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

PrimRef DefineShapeVar(Frame& frame, absl::string_view name, const TextSpan& span) {
  const PrimRef var = frame.el.context().NewVar(name);
  frame.scopes.BindShapeVar(name, var, span);
  return var;
}

absl::Status UnknownShapeVar(Frame& frame, const ast::Expr& e, absl::string_view name) {
  std::vector<absl::string_view> known;
  std::vector<absl::string_view> visible;
  if (frame.el.diags().error_count() < kMaxSuggestions) visible = frame.scopes.Visible();
  for (absl::string_view candidate : visible) {
    if (frame.HasScalar(*frame.scopes.Find(candidate))) known.push_back(candidate);
  }
  DiagnosticBuilder error = frame.el.Error(e, "shape-var-before-binding");
  error << "the shape variable '" << name << "' is not bound here" << DidYouMean(name, known);
  if (const LeftName* left = frame.scopes.FindLeft(name)) {
    std::move(error).Note(left->span, "it is bound here, in a scope that has ended");
  }
  frame.DefineFailed(name, e.span());
  return AlreadyDiagnosed();
}

// 1.5 and -1.5 as they stand: in place of a Relax value they are double precision.
bool IsBareReal(const ast::Expr& e) {
  if (const auto* unary = e.As<ast::Unary>()) return IsBareReal(*unary->operand);
  return e.As<ast::Float>() != nullptr;
}

}  // namespace

bool ShapeScope::Binds(absl::string_view name) const { return frame_.scopes.Find(name) != nullptr; }

absl::StatusOr<PrimRef> ShapeScope::Resolve(const ast::Expr& e) {
  const absl::string_view name = e.As<ast::Name>()->id;
  const NameEntry* entry = frame_.scopes.Find(name);
  const bool define = new_names_ == NewNames::kDefine;
  if (entry == nullptr) {
    if (define) return DefineShapeVar(frame_, name, e.span());
    return UnknownShapeVar(frame_, e, name);
  }
  if (entry->failed) return AlreadyDiagnosed();
  if (const PrimRef scalar = frame_.ScalarOf(*entry)) {
    if (entry->value.valid()) frame_.NoteUse(e, *entry);
    return scalar;
  }
  if (define && entry->function_depth < frame_.scopes.function_depth()) {
    return DefineShapeVar(frame_, name, e.span());
  }
  return frame_.el.Error(e, "wrong-kind-of-value")
             .Note(entry->span, "bound here")
             .Help(absl::StrCat("R.match_cast(", name,
                                ", R.Prim(value=n)) or R.match_cast with a shape that holds n "
                                "makes a shape variable n of it"))
         << "'" << name << "' is a Relax variable, and no shape variable";
}

absl::StatusOr<PrimRef> ElaborateShapeScalar(Frame& frame, const ast::Expr& e, NewNames new_names,
                                             DType int_dtype) {
  ShapeScope scope(frame, new_names);
  LATHE_ASSIGN_OR_RETURN(PrimRef scalar, ElaborateScalar(frame.el, e, scope, int_dtype));
  if (const auto* real = scalar->As<ir::FloatImm>(); real != nullptr && IsBareReal(e)) {
    return frame.el.context().Float(real->value, DType::Float(64));
  }
  return scalar;
}

absl::StatusOr<PrimRef> ElaborateDim(Frame& frame, const ast::Expr& e, DimPlace place) {
  ir::Context& context = frame.el.context();
  if (const auto* number = e.As<ast::Int>()) {
    if (!number->fits) return AlreadyDiagnosed();
    if (number->value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return frame.el.Error(e, "number-out-of-range") << "a dimension is an int64";
    }
    return context.Int(static_cast<int64_t>(number->value));
  }
  const ast::Expr* dim = &e;
  const bool quoted = e.As<ast::Str>() != nullptr;
  if (quoted) dim = ParseQuoted(frame.el.tree(), e, frame.el.diags());
  if (dim == nullptr) return AlreadyDiagnosed();

  if (const auto* name = dim->As<ast::Name>(); name != nullptr && place != DimPlace::kUse) {
    const NameEntry* entry = frame.scopes.Find(name->id);
    const bool inherited =
        entry != nullptr && entry->function_depth < frame.scopes.function_depth();
    if (entry == nullptr || (place == DimPlace::kDefine && quoted && inherited)) {
      return DefineShapeVar(frame, name->id, dim->span());
    }
  }
  LATHE_ASSIGN_OR_RETURN(
      const PrimRef scalar,
      ElaborateShapeScalar(frame, *dim,
                           place == DimPlace::kDefine ? NewNames::kDefine : NewNames::kRefuse));
  if (!scalar->dtype().is_integer() || !scalar->dtype().is_scalar()) {
    return frame.el.Error(*dim, "wrong-kind-of-value")
           << "a dimension is a whole number, this is " << ir::ToString(scalar->dtype());
  }
  if (const auto* number = scalar->As<ir::IntImm>()) return context.Int(number->value);
  return scalar;
}

absl::StatusOr<std::vector<PrimRef>> ElaborateDims(Frame& frame, ast::ExprList elements,
                                                   DimPlace place) {
  if (elements.size() > static_cast<size_t>(kMaxDims)) {
    return frame.el.diags().LimitExceeded(elements[kMaxDims]->span(), "limit-dimensions")
           << "a shape may have " << CountOf(kMaxDims, "dimension") << ", this one has "
           << elements.size();
  }
  std::vector<PrimRef> dims;
  dims.reserve(elements.size());
  absl::Status failed;
  for (ast::ExprRef element : elements) {
    absl::StatusOr<PrimRef> dim = ElaborateDim(frame, *element, place);
    if (dim.ok()) {
      dims.push_back(*dim);
    } else {
      failed = dim.status();
    }
  }
  if (!failed.ok()) return failed;
  return dims;
}

std::optional<DType> DeclaredShapeVar(const Elaboration& el, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return std::nullopt;
  const std::optional<Qualified> callee = el.namespaces().Qualify(*call->callee);
  if (!callee || callee->space != Space::kTir) return std::nullopt;
  if (callee->name == "var" || callee->name == "Var" || callee->name == "SizeVar") {
    // T.var("int64"), and tir.Var("n", "int64").
    DType dtype = DType::Int(64);
    for (ast::ExprRef arg : call->args) {
      const auto* text = arg->As<ast::Str>();
      if (text == nullptr) return std::nullopt;
      const std::optional<DType> written = ir::ParseDType(text->value);
      if (written && !written->is_void()) dtype = *written;
    }
    return dtype;
  }
  if (!call->args.empty()) return std::nullopt;
  for (const ast::Keyword& keyword : call->keywords) {
    if (keyword.name != "is_size_var") return std::nullopt;
  }
  const std::optional<DType> dtype = ir::ParseDType(callee->name);
  if (!dtype || dtype->is_void() || dtype->is_handle()) return std::nullopt;
  return dtype;
}

}  // namespace lathe::relax_text
