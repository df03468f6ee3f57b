#include "generator/reader/onnx/input_info.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/reader/onnx/symbolic_sizes.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

std::string What(const Type& type) {
  switch (type.kind) {
    case TypeKind::kTensor:
      return DTypeOf(type.element_type)
                 ? "a tensor of unknown rank"
                 : absl::StrCat("a tensor of ", ElementTypeName(type.element_type), "s");
    case TypeKind::kSparse:
      return "a sparse tensor";
    case TypeKind::kSequence:
      return "a sequence; --like DIR, a folder of test data, provides its length";
    case TypeKind::kMap:
      return "a map";
    case TypeKind::kOptional:
      return "an optional";
    case TypeKind::kNone:
      break;
  }
  return "of unspecified type";
}

}  // namespace

absl::StatusOr<ir::StructInfoRef> InputInfo::Of(const std::string& name, const Type& type) {
  // An optional has the type of its value.
  if (type.kind == TypeKind::kOptional && type.element) return Of(name, *type.element);
  const auto items = shapes_.sequences.find(name);
  if (type.kind == TypeKind::kSequence && type.element && items != shapes_.sequences.end()) {
    return SequenceOf(name, *type.element, items->second);
  }
  auto dtype = DTypeOf(type.element_type);
  const auto width = shapes_.widths.find(name);
  const bool strings = type.element_type == kStringType;
  if (strings) dtype = ir::DType::UInt(8);
  if (type.kind != TypeKind::kTensor || !type.dims || !dtype) {
    return import_.diags.Unsupported(place_, "onnx-unsupported")
           << "input '" << name << "' is " << What(type)
           << "; inputs are tensors of numbers or strings, of known rank";
  }
  std::vector<ir::PrimRef> dims;
  for (size_t i = 0; i < type.dims->size(); ++i) {
    const Dim& dim = (*type.dims)[i];
    if (dim.value && *dim.value >= 0) {
      dims.push_back(import_.context.Int(*dim.value));
      continue;
    }
    if (dim.value && *dim.value < -1) {
      return import_.diags.Error(place_, "onnx-bad-tensor")
             << "input '" << name << "' has a dimension of " << *dim.value;
    }
    dims.push_back(OpenSize(SizeKey(name, dim, i)));
  }
  if (strings) {
    dims.push_back(width != shapes_.widths.end() ? import_.context.Int(width->second)
                                                 : OpenSize(WidthKey(name)));
  }
  return import_.builder.Tensor(std::move(dims), *dtype);
}

absl::StatusOr<std::vector<transform::BlockBuilder::Param>> InputInfo::OfMap(
    const ValueInfo& input) {
  std::vector<transform::BlockBuilder::Param> params;
  const ir::PrimRef count = OpenSize(MapSizeKey(input.name));
  const auto tensor = [&](const char* suffix, int32_t type) -> absl::Status {
    const std::string name = input.name + suffix;
    auto dtype = DTypeOf(type);
    std::vector<ir::PrimRef> dims = {count};
    if (type == kStringType) {
      dtype = ir::DType::UInt(8);
      dims.push_back(OpenSize(WidthKey(name)));
    }
    if (!dtype) {
      return import_.diags.Unsupported(place_, "onnx-unsupported")
             << "input '" << input.name << "' is a map with elements of type "
             << ElementTypeName(type) << "; maps have keys and values that are numbers or strings";
    }
    params.push_back({ProgramName(name), import_.builder.Tensor(std::move(dims), *dtype)});
    return absl::OkStatus();
  };
  const Type* value = input.type.element.get();
  const bool simple = value != nullptr && value->kind == TypeKind::kTensor;
  LATHE_RETURN_IF_ERROR(tensor(kMapKeys, input.type.element_type));
  LATHE_RETURN_IF_ERROR(tensor(kMapValues, simple ? value->element_type : 0));
  return params;
}

ir::PrimRef InputInfo::OpenSize(const std::string& key) {
  ir::PrimRef& size = import_.shape_vars[key];
  if (size != nullptr) return size;
  const analysis::Interval* said = SizeOf(options_.sizes, key);
  if (said != nullptr && said->is_single()) return size = import_.context.Int(said->lo);
  size = import_.builder.ShapeVar(ProgramName(key));
  if (said != nullptr) import_.bounds[size] = *said;
  return size;
}

void InputInfo::BindSequenceDims(const Graph& graph) {
  std::map<std::string, std::set<int64_t>> sizes;
  for (const ValueInfo& input : graph.inputs) {
    const auto items = shapes_.sequences.find(input.name);
    const Type* type = &input.type;
    while (type->kind != TypeKind::kTensor && type->element != nullptr) {
      type = type->element.get();
    }
    if (items == shapes_.sequences.end() || !type->dims) continue;
    for (const std::vector<int64_t>& shape : items->second) {
      for (size_t i = 0; i < type->dims->size() && i < shape.size(); ++i) {
        const std::string& name = (*type->dims)[i].param;
        if (!name.empty()) sizes[name].insert(shape[i]);
      }
    }
  }
  for (const auto& [name, found] : sizes) {
    if (found.size() == 1) import_.shape_vars[name] = import_.context.Int(*found.begin());
  }
}

absl::StatusOr<ir::StructInfoRef> InputInfo::SequenceOf(
    const std::string& name, const Type& element, const std::vector<std::vector<int64_t>>& shapes) {
  const auto dtype = DTypeOf(element.element_type);
  if (element.kind != TypeKind::kTensor || !dtype) {
    return import_.diags.Unsupported(place_, "onnx-unsupported")
           << "input '" << name << "' is a sequence of values other than numeric tensors";
  }
  std::vector<ir::StructInfoRef> items;
  for (const std::vector<int64_t>& shape : shapes) {
    std::vector<ir::PrimRef> dims;
    for (int64_t dim : shape) dims.push_back(import_.context.Int(dim));
    items.push_back(import_.builder.Tensor(std::move(dims), *dtype));
  }
  return import_.context.Tuple(std::move(items));
}

}  // namespace lathe::onnx
