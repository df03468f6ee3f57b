#include "generator/reader/relax_text/relax/shape_scope.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/syntax/parse.h"
#include "generator/reader/relax_text/tir/elaborate_scalar.h"
#include "generator/support/closest_name.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// Warns about an undeclared shape variable in a file that declares names above its module. Such a
// file is expected to declare all of its shape variables, so the name may be a misspelling.
void WarnOfUndeclared(Frame& frame, const ast::Expr& e, absl::string_view name) {
  Elaboration& el = frame.el;
  if (frame.in_quotes || el.oldest_dialect(e.span())) return;
  if (!el.host_values().names_sizes() && el.type_vars().empty()) return;
  if (el.host_values().Find(name, e.span()) != nullptr || el.IsTypeVar(name)) return;
  std::vector<absl::string_view> known;
  // Names of one letter are all similar, so no suggestion is made for them.
  if (name.size() > 1 && el.diags().all().size() < kMaxSuggestions) {
    known = el.host_values().names();
    for (const auto& [type_var, span] : el.type_vars()) known.push_back(type_var);
  }
  el.diags()
          .Warning(e.span(), "undeclared-shape-var")
          .Help(absl::StrCat("\"", name, "\" in quotes, or ", name,
                             " = T.int64() above the module, declares a shape variable"))
      << "'" << name << "' is undeclared and becomes a shape variable" << DidYouMean(name, known);
}

absl::StatusOr<PrimRef> DefineShapeVar(Frame& frame, const ast::Expr& e, absl::string_view name) {
  if (!frame.in_quotes && frame.el.RefusesHostValue(e, name)) return AlreadyDiagnosed();
  WarnOfUndeclared(frame, e, name);
  const PrimRef var = frame.el.context().NewVar(name);
  frame.scopes.BindShapeVar(name, var, e.span());
  return var;
}

absl::Status UnknownShapeVar(Frame& frame, const ast::Expr& e, absl::string_view name) {
  if (frame.el.RefusesHostValue(e, name)) return AlreadyDiagnosed();
  std::vector<absl::string_view> known;
  std::vector<absl::string_view> visible;
  if (frame.el.diags().error_count() < kMaxSuggestions) visible = frame.scopes.Visible();
  for (absl::string_view candidate : visible) {
    if (frame.HasScalar(*frame.scopes.Find(candidate))) known.push_back(candidate);
  }
  DiagnosticBuilder error = frame.el.Error(e, "shape-var-before-binding");
  error << "the shape variable '" << name << "' is not bound here" << DidYouMean(name, known);
  if (const EndedName* left = frame.scopes.FindEnded(name)) {
    std::move(error).Note(left->span, "bound here, in a scope that has ended");
  }
  frame.DefineFailed(name, e.span());
  return AlreadyDiagnosed();
}

// Returns true for a real literal with or without a sign: 1.5, -1.5. As a Relax value it is
// float64.
bool IsBareReal(const ast::Expr& e) {
  if (const auto* unary = e.As<ast::Unary>()) return IsBareReal(*unary->operand);
  return e.As<ast::Float>() != nullptr;
}

}  // namespace

const NameEntry* ShapeScope::Find(absl::string_view name) const {
  const NameEntry* entry = frame_.scopes.Find(name);
  const bool hidden = entry != nullptr && entry->number != nullptr && frame_.in_quotes;
  return hidden ? nullptr : entry;
}

bool ShapeScope::Binds(absl::string_view name) const { return Find(name) != nullptr; }

absl::StatusOr<ScalarValue> ShapeScope::ResolveValue(const ast::Expr& e) {
  const NameEntry* entry = Find(e.As<ast::Name>()->id);
  if (entry == nullptr || entry->number == nullptr) return ScalarScope::ResolveValue(e);
  // The number has no dtype yet: its context determines it.
  return NumberValue(*entry->number);
}

absl::StatusOr<PrimRef> ShapeScope::Resolve(const ast::Expr& e) {
  const absl::string_view name = e.As<ast::Name>()->id;
  const NameEntry* entry = Find(name);
  const bool define = new_names_ == NewNames::kDefine;
  if (entry == nullptr) {
    if (define) return DefineShapeVar(frame_, e, name);
    return UnknownShapeVar(frame_, e, name);
  }
  if (entry->failed) return AlreadyDiagnosed();
  if (const PrimRef scalar = frame_.ScalarOf(*entry)) {
    if (entry->value.valid()) frame_.NoteUse(e, *entry);
    return scalar;
  }
  if (define && entry->function_depth < frame_.scopes.function_depth()) {
    return DefineShapeVar(frame_, e, name);
  }
  return frame_.el.Error(e, "wrong-kind-of-value")
             .Note(entry->span, "bound here")
             .Help(absl::StrCat("R.match_cast(", name,
                                ", R.Prim(value=n)) or R.match_cast with a shape that contains n "
                                "binds a shape variable n to it"))
         << "'" << name << "' is a Relax variable, not a shape variable";
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

namespace {

absl::StatusOr<PrimRef> Dimension(Frame& frame, const ast::Expr& e, DimPlace place) {
  if (const auto* name = e.As<ast::Name>(); name != nullptr && place != DimPlace::kUse) {
    const NameEntry* entry = frame.scopes.Find(name->id);
    const bool inherited =
        entry != nullptr && entry->function_depth < frame.scopes.function_depth();
    const bool hidden =
        inherited && (place == DimPlace::kDefine || entry->number != nullptr) && frame.in_quotes;
    if (entry == nullptr || hidden) return DefineShapeVar(frame, e, name->id);
  }
  LATHE_ASSIGN_OR_RETURN(
      const PrimRef scalar,
      ElaborateShapeScalar(frame, e,
                           place == DimPlace::kDefine ? NewNames::kDefine : NewNames::kRefuse));
  if (!scalar->dtype().is_integer() || !scalar->dtype().is_scalar()) {
    return frame.el.Error(e, "wrong-kind-of-value")
           << "a dimension must be an integer, got dtype " << ir::ToString(scalar->dtype());
  }
  if (const auto* number = scalar->As<ir::IntImm>()) {
    return frame.el.context().Int(number->value);
  }
  return scalar;
}

}  // namespace

absl::StatusOr<PrimRef> ElaborateDim(Frame& frame, const ast::Expr& written, DimPlace place) {
  ir::Context& context = frame.el.context();
  const ast::Expr& e = frame.Written(written);
  if (const auto* number = e.As<ast::Int>()) {
    if (!number->fits) return AlreadyDiagnosed();
    if (number->value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return frame.el.Error(e, "number-out-of-range") << "a dimension must fit in int64";
    }
    return context.Int(static_cast<int64_t>(number->value));
  }
  const ast::Expr* dim = &e;
  const bool quoted = e.As<ast::Str>() != nullptr;
  if (quoted) dim = ParseQuoted(frame.el.tree(), e, frame.el.diags());
  if (dim == nullptr) return AlreadyDiagnosed();
  const bool was_in_quotes = std::exchange(frame.in_quotes, quoted);
  absl::StatusOr<PrimRef> value = Dimension(frame, *dim, place);
  frame.in_quotes = was_in_quotes;
  return value;
}

absl::StatusOr<std::vector<PrimRef>> ElaborateDims(Frame& frame, ast::ExprList elements,
                                                   DimPlace place) {
  if (elements.size() > static_cast<size_t>(kMaxDims)) {
    return frame.el.diags().LimitExceeded(elements[kMaxDims]->span(), "limit-dimensions")
           << "a shape has at most " << CountOf(kMaxDims, "dimension") << ", got "
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
