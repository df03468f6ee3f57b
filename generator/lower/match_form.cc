#include "generator/lower/match_form.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

bool All(const std::vector<PrimRef>& formal, const std::vector<PrimRef>& actual,
         const std::string& what, SizeMatch& match) {
  if (formal.size() != actual.size()) return false;
  for (size_t i = 0; i < formal.size(); ++i) {
    match.Add(formal[i], actual[i], absl::StrCat("dimension ", i, " of ", what));
  }
  return true;
}

}  // namespace

bool MatchForm(const ir::Program& program, const Form& form, ir::StructInfoRef info,
               const std::string& what, SizeMatch& match) {
  const auto* value = form.As<ir::TensorId>();
  if (value != nullptr && program.tensors[*value].is_value()) return true;  // checked at run time
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    // A function without a result returns the empty tuple.
    if (tuple->fields.empty() && form.As<Nothing>() != nullptr) return true;
    const auto* fields = form.As<TupleForm>();
    if (fields == nullptr || fields->fields.size() != tuple->fields.size()) return false;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const std::string part = absl::StrCat(what, "[", i, "]");
      if (!MatchForm(program, fields->fields[i], tuple->fields[i], part, match)) return false;
    }
    return true;
  }
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    const auto* id = form.As<ir::TensorId>();
    if (id == nullptr) return false;
    const ir::Tensor& actual = program.tensors[*id];
    if (!tensor->dtype.is_void() && tensor->dtype != actual.dtype) return false;
    if (tensor->dims() == nullptr) {
      return tensor->ndim < 0 || tensor->ndim == static_cast<int>(actual.shape.size());
    }
    return All(*tensor->dims(), actual.shape, what, match);
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) {
    const auto* dims = form.As<ShapeForm>();
    if (dims == nullptr) return false;
    if (!shape->values) {
      for (PrimRef dim : dims->dims) match.NeedSize(dim, absl::StrCat("a dimension of ", what));
      return shape->ndim < 0 || shape->ndim == static_cast<int>(dims->dims.size());
    }
    return All(*shape->values, dims->dims, what, match);
  }
  if (const auto* prim = info->As<ir::PrimInfo>()) {
    const auto* value = form.As<PrimRef>();
    if (value == nullptr || (*value)->dtype() != prim->dtype) return false;
    if (prim->value != nullptr) match.Add(prim->value, *value, what);
    return true;
  }
  if (info->As<ir::FuncInfo>() != nullptr) {
    return form.As<ir::GlobalId>() != nullptr || form.As<ir::ExternFunc>() != nullptr ||
           form.As<ClosureForm>() != nullptr || form.As<ChoiceForm>() != nullptr;
  }
  return info->As<ir::ObjectInfo>() != nullptr;
}

bool MayMatch(ir::Context& context, const ir::Program& program, const Form& form,
              ir::StructInfoRef info) {
  if (const auto* choice = form.As<ChoiceForm>()) {
    for (const Form& option : choice->options) {
      if (MayMatch(context, program, option, info)) return true;
    }
    return false;
  }
  const auto* tuple = form.As<TupleForm>();
  const auto* wanted = info->As<ir::TupleInfo>();
  if (tuple == nullptr || wanted == nullptr || tuple->fields.size() != wanted->fields.size()) {
    SizeMatch sizes(context);
    return MatchForm(program, form, info, "", sizes);
  }
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    if (!MayMatch(context, program, tuple->fields[i], wanted->fields[i])) return false;
  }
  return true;
}

void SetDeclaredSizes(ir::Context& context, const ir::Program& program, const Form& form,
                      ir::StructInfoRef info, SizeMatch& match) {
  SizeMatch declared(context);
  (void)MatchForm(program, form, info, "", declared);
  for (const auto& [var, size] : declared.mapping()) match.Set(var, size);
}

bool AreCompatible(ir::StructInfoRef a, ir::StructInfoRef b) {
  if (a->As<ir::ObjectInfo>() != nullptr || b->As<ir::ObjectInfo>() != nullptr) return true;
  if (a->node().index() != b->node().index()) return false;
  const auto ranks = [](int x, int y) { return x < 0 || y < 0 || x == y; };
  if (const auto* x = a->As<ir::TensorInfo>()) {
    const auto* y = b->As<ir::TensorInfo>();
    const bool same = x->dtype == y->dtype || x->dtype.is_void() || y->dtype.is_void();
    return same && ranks(x->ndim, y->ndim);
  }
  if (const auto* x = a->As<ir::ShapeInfo>()) return ranks(x->ndim, b->As<ir::ShapeInfo>()->ndim);
  if (const auto* x = a->As<ir::PrimInfo>()) return x->dtype == b->As<ir::PrimInfo>()->dtype;
  const auto* x = a->As<ir::TupleInfo>();
  if (x == nullptr) return true;
  const auto* y = b->As<ir::TupleInfo>();
  if (x->fields.size() != y->fields.size()) return false;
  for (size_t i = 0; i < x->fields.size(); ++i) {
    if (!AreCompatible(x->fields[i], y->fields[i])) return false;
  }
  return true;
}

}  // namespace lathe::lower
