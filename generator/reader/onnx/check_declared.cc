#include "generator/reader/onnx/check_declared.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/tensor_data.h"

namespace lathe::onnx {

const Type* DeclaredOf(const Scope& scope, const std::string& name) {
  // A name in a subgraph hides the same name outside, so outer scopes are not searched.
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

absl::Status CheckSize(Import& import, const Location& loc, const std::string& name,
                       ir::StructInfoRef info) {
  const auto* tensor = info->As<ir::TensorInfo>();
  if (tensor != nullptr && tensor->ndim > kMaxRank) {
    return import.diags.LimitExceeded(loc, "onnx-limit")
           << "'" << name << "' has " << tensor->ndim << " dimensions, more than the " << kMaxRank
           << " that one tensor may have";
  }
  if (tensor == nullptr || tensor->dims() == nullptr || tensor->dtype.is_void()) {
    return absl::OkStatus();
  }
  std::vector<int64_t> sizes;
  for (const ir::PrimRef dim : *tensor->dims()) {
    // A symbolic size counts as 1; the caller is responsible for its run-time value.
    const auto* size = dim->As<ir::IntImm>();
    sizes.push_back(size == nullptr ? 1 : size->value);
    if (sizes.back() == 0) return absl::OkStatus();
  }
  int64_t left = kMaxTensorBytes / std::max(1, tensor->dtype.bits / 8);
  for (const int64_t size : sizes) left /= size;
  if (left > 0) return absl::OkStatus();
  return import.diags.LimitExceeded(loc, "onnx-limit")
         << "'" << name << "' is " << ir::ToString(info) << ", more than the "
         << (kMaxTensorBytes >> 30) << " GiB that one tensor may have";
}

absl::Status CheckDeclared(Import& import, const Scope& scope, const Node& node,
                           const std::string& name, const Term& term) {
  const Type* type = DeclaredOf(scope, name);
  if (type == nullptr || type->kind != TypeKind::kTensor) return absl::OkStatus();
  if (term.format == kStringType)
    return absl::OkStatus();  // has the width as an additional dimension
  const ir::TensorInfo* info = nullptr;
  if (term.operand) {
    info = import.builder.InfoOf(*term.operand)->As<ir::TensorInfo>();
  } else if (term.elements) {
    std::vector<ir::PrimRef> dims(static_cast<size_t>(term.elements->rank),
                                  import.context.Int(std::ssize(term.elements->values)));
    info = import.context.Tensor(std::move(dims), term.elements->dtype)->As<ir::TensorInfo>();
  }
  if (info == nullptr) return absl::OkStatus();
  const auto refuse = [&](const std::string& said, const std::string& is) -> absl::Status {
    return import.diags.Error(LocationOf(import, node), "onnx-declared-clash")
           << "the model declares that '" << name << "' is " << said << ", but it is " << is;
  };
  const auto dtype = DTypeOf(type->element_type);
  if (dtype && !info->dtype.is_void() && *dtype != info->dtype) {
    return refuse(absl::StrCat("of ", ir::ToString(*dtype)), ir::ToString(info->dtype));
  }
  if (!type->dims || info->dims() == nullptr) return absl::OkStatus();
  // Exporters of classical models declare wrong shapes, which other runtimes ignore with a warning.
  // ONNX's own shape inference takes an STFT without 'onesided' for a two-sided one.
  const auto refuse_shape = [&](const std::string& said, const std::string& is) -> absl::Status {
    if (node.domain != "ai.onnx.ml" && node.op != "STFT") return refuse(said, is);
    import.diags.Warning(LocationOf(import, node), "onnx-declared-clash")
        << "the model declares that '" << name << "' is " << said << ", but it is " << is
        << "; the declaration is ignored";
    return absl::OkStatus();
  };
  if (type->dims->size() != info->dims()->size()) {
    return refuse_shape(absl::StrCat("of rank ", type->dims->size()),
                        absl::StrCat("of rank ", info->dims()->size()));
  }
  for (size_t i = 0; i < type->dims->size(); ++i) {
    const Dim& dim = (*type->dims)[i];
    const auto var = import.shape_vars.find(dim.param);
    ir::PrimRef said = nullptr;
    if (dim.value) {
      if (*dim.value >= 0) said = import.context.Int(*dim.value);
    } else if (!dim.param.empty() && var != import.shape_vars.end()) {
      said = var->second;
    }
    const ir::PrimRef is = (*info->dims())[i];
    if (said == nullptr || analysis::ProveEqual(import.context, said, is) != ir::Tri::kNo) continue;
    return refuse_shape(absl::StrCat(ir::ToString(said), " long in dimension ", i),
                        ir::ToString(is));
  }
  return absl::OkStatus();
}

}  // namespace lathe::onnx
