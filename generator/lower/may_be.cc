#include "generator/lower/may_be.h"

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

bool MayBe(const ir::Program& program, const Form& form, ir::StructInfoRef info,
           const std::string& what, SizeMatch& match) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    const auto* fields = form.As<TupleForm>();
    if (fields == nullptr || fields->fields.size() != tuple->fields.size()) return false;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const std::string part = absl::StrCat(what, "[", i, "]");
      if (!MayBe(program, fields->fields[i], tuple->fields[i], part, match)) return false;
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

}  // namespace lathe::lower
