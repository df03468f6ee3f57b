#include "generator/reader/relay_text/infer/info_of_type.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/support/match.h"

namespace lathe::relay {
namespace {

// A name of an exporter, such as "layer.0.weight", is not an identifier.
std::string SizeName(absl::string_view name, size_t dimension) {
  std::string text(name);
  for (char& c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return absl::StrCat(text, "_", dimension);
}

ir::StructInfoRef InfoOfTensor(ir::Context& context, const TensorType& t, AnyDims any_dims,
                               absl::string_view name) {
  const bool any = std::find(t.dims.begin(), t.dims.end(), kAnyDim) != t.dims.end();
  if (any && any_dims == AnyDims::kUnknown) {
    return context.Tensor(static_cast<int>(t.dims.size()), t.dtype);
  }
  std::vector<ir::PrimRef> dims;
  for (size_t i = 0; i < t.dims.size(); ++i) {
    const bool unknown = t.dims[i] == kAnyDim;
    dims.push_back(unknown ? context.NewVar(SizeName(name, i)) : context.Int(t.dims[i]));
  }
  return context.Tensor(std::move(dims), t.dtype);
}

}  // namespace

ir::StructInfoRef StoreInfo(ir::Context& context) {
  return context.Tuple(
      {context.Tensor(std::vector<ir::PrimRef>(), ir::DType::Int(32)), context.Object()});
}

ir::StructInfoRef InfoOfType(ir::Context& context, const Types& types, TypeRef type,
                             AnyDims any_dims, absl::string_view name, RefForm refs) {
  type = types.Resolve(type);
  return Match(
      type->node, [&](const TensorType& t) { return InfoOfTensor(context, t, any_dims, name); },
      [&](const TupleType& t) -> ir::StructInfoRef {
        std::vector<ir::StructInfoRef> fields;
        for (TypeRef field : t.fields) {
          const std::string field_name = absl::StrCat(name, "_", fields.size());
          fields.push_back(InfoOfType(context, types, field, any_dims, field_name, refs));
          if (fields.back() == nullptr) return nullptr;
        }
        return context.Tuple(std::move(fields));
      },
      [&](const FuncType& f) -> ir::StructInfoRef {
        ir::FuncInfo info;
        info.params.emplace();
        for (TypeRef param : f.params) {
          info.params->push_back(InfoOfType(context, types, param, AnyDims::kUnknown, "n", refs));
          if (info.params->back() == nullptr) return nullptr;
        }
        info.ret = InfoOfType(context, types, f.ret, AnyDims::kUnknown, "n", refs);
        if (info.ret == nullptr) return nullptr;
        if (refs == RefForm::kStored) {
          info.params->push_back(StoreInfo(context));
          info.ret = context.Tuple({info.ret, StoreInfo(context)});
        }
        return context.Make(ir::StructInfo::Node(info));
      },
      [&](const DataType&) -> ir::StructInfoRef { return context.Object(); },
      // Erased: the value is only moved.
      [&](const ParamType&) -> ir::StructInfoRef { return context.Object(); },
      [&](const RefType&) -> ir::StructInfoRef {
        if (refs == RefForm::kVariables) return nullptr;
        return context.Tensor(std::vector<ir::PrimRef>(), ir::DType::Int(32));
      },
      [&](const OpType&) -> ir::StructInfoRef { return nullptr; },
      // The element type of a list that is always empty, for example: there is no value of it.
      [&](const HoleType&) -> ir::StructInfoRef { return context.Object(); });
}

TypeRef TypeOfInfo(Types& types, ir::StructInfoRef info) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    std::vector<TypeRef> fields;
    for (ir::StructInfoRef field : tuple->fields) {
      fields.push_back(TypeOfInfo(types, field));
      if (fields.back() == nullptr) return nullptr;
    }
    return types.Tuple(std::move(fields));
  }
  const auto* tensor = info->As<ir::TensorInfo>();
  if (tensor == nullptr || tensor->ndim < 0 || tensor->dtype.is_void()) return nullptr;
  std::vector<int64_t> dims(static_cast<size_t>(tensor->ndim), kAnyDim);
  if (tensor->dims() != nullptr) {
    for (size_t i = 0; i < dims.size(); ++i) {
      const auto* size = (*tensor->dims())[i]->As<ir::IntImm>();
      if (size != nullptr) dims[i] = size->value;
    }
  }
  return types.Tensor(std::move(dims), tensor->dtype);
}

}  // namespace lathe::relay
