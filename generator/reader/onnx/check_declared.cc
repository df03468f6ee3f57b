#include "generator/reader/onnx/check_declared.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/tensor_data.h"

namespace lathe::onnx {

const Type* DeclaredOf(const Scope& scope, const std::string& name) {
  // A name of a body is another than the same name outside.
  const auto found = scope.declared.find(name);
  return found == scope.declared.end() ? nullptr : found->second;
}

std::optional<std::vector<ir::PrimRef>> DimsOf(Import& import, const Type& type) {
  if (type.kind != TypeKind::kTensor || !type.dims) return std::nullopt;
  std::vector<ir::PrimRef> dims;
  for (const Dim& dim : *type.dims) {
    if (dim.value && *dim.value >= 0) {
      dims.push_back(import.context.Int(*dim.value));
      continue;
    }
    const auto var = import.shape_vars.find(dim.param);
    if (dim.value || dim.param.empty() || var == import.shape_vars.end()) return std::nullopt;
    dims.push_back(var->second);
  }
  return dims;
}

absl::Status CheckDeclared(Import& import, const Scope& scope, const Node& node,
                           const std::string& name, const Term& term) {
  const Type* type = DeclaredOf(scope, name);
  if (type == nullptr || type->kind != TypeKind::kTensor || !term.operand) return absl::OkStatus();
  if (term.format == kStringType) return absl::OkStatus();  // has a width besides
  const auto* info = import.builder.InfoOf(*term.operand)->As<ir::TensorInfo>();
  if (info == nullptr) return absl::OkStatus();
  const auto refuse = [&](const std::string& said, const std::string& is) -> absl::Status {
    return import.diags.Error(LocationOf(import, node), "onnx-declared-clash")
           << "the model says that '" << name << "' is " << said << ", and it is " << is;
  };
  const auto dtype = DTypeOf(type->element_type);
  if (dtype && !info->dtype.is_void() && *dtype != info->dtype) {
    return refuse(absl::StrCat("of ", ir::ToString(*dtype)), ir::ToString(info->dtype));
  }
  if (!type->dims || info->dims() == nullptr) return absl::OkStatus();
  if (type->dims->size() != info->dims()->size()) {
    return refuse(absl::StrCat("of rank ", type->dims->size()),
                  absl::StrCat("of rank ", info->dims()->size()));
  }
  for (size_t i = 0; i < type->dims->size(); ++i) {
    const Dim& said = (*type->dims)[i];
    const auto* is = (*info->dims())[i]->As<ir::IntImm>();
    if (!said.value || is == nullptr || *said.value == is->value) continue;
    return refuse(absl::StrCat(*said.value, " long in dimension ", i), absl::StrCat(is->value));
  }
  return absl::OkStatus();
}

}  // namespace lathe::onnx
