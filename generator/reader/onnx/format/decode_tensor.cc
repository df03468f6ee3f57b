#include "generator/reader/onnx/format/decode_tensor.h"

#include <limits>

#include "generator/reader/onnx/format/field_numbers.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using absl::OkStatus;
using absl::Status;
using absl::string_view;

int32_t AsType(const WireField& field) {
  const int64_t value = field.AsInt();
  return value < 0 || value > std::numeric_limits<int32_t>::max() ? -1
                                                                  : static_cast<int32_t>(value);
}

Status DecodeEntry(string_view bytes, std::map<std::string, std::string>& to) {
  std::string key, value;
  LATHE_RETURN_IF_ERROR(ForEachField<EntryField>(bytes, [&](EntryField f, const WireField& field) {
    if (f == EntryField::kKey) key = std::string(field.bytes);
    if (f == EntryField::kValue) value = std::string(field.bytes);
    return OkStatus();
  }));
  to[key] = value;
  return OkStatus();
}

Status DecodeDim(string_view bytes, Dim& dim) {
  return ForEachField<DimField>(bytes, [&](DimField f, const WireField& field) {
    if (f == DimField::kValue) dim.value = field.AsInt();
    if (f == DimField::kParam) dim.param = NameOf(field.bytes);
    return OkStatus();
  });
}

Status DecodeTensorType(string_view bytes, Type& type) {
  return ForEachField<TensorTypeField>(bytes, [&](TensorTypeField f, const WireField& field) {
    if (f == TensorTypeField::kElementType) type.element_type = AsType(field);
    if (f != TensorTypeField::kShape) return OkStatus();
    type.dims.emplace();
    return ForEachField<ShapeField>(field.bytes, [&](ShapeField s, const WireField& dim) -> Status {
      if (s != ShapeField::kDim) return OkStatus();
      if (type.dims->size() >= static_cast<size_t>(kMaxRank)) {
        return absl::ResourceExhaustedError(
            absl::StrCat("a type has more than ", kMaxRank, " dimensions"));
      }
      return DecodeDim(dim.bytes, type.dims->emplace_back());
    });
  });
}

}  // namespace

Status TooDeep() {
  return absl::ResourceExhaustedError(
      absl::StrCat("graphs, types or values are nested more than ", kMaxDepth, " deep"));
}

std::string NameOf(string_view bytes) {
  std::string name;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppend(&name, "\\x", absl::Hex(byte, absl::kZeroPad2));
    } else {
      name += c;
    }
  }
  return name;
}

Status WrongWireType(string_view message, const WireField& field) {
  return absl::InvalidArgumentError(
      absl::StrCat("field ", field.number, " of ", message, " has the wrong wire type"));
}

Status DecodeTensor(string_view bytes, Tensor& tensor) {
  std::vector<int64_t> ints;
  const auto decode = [&](TensorField f, const WireField& field) -> Status {
    bool fits = true;
    switch (f) {
      case TensorField::kDims:
        fits = AppendVarints(field, tensor.dims);
        if (tensor.dims.size() > static_cast<size_t>(kMaxRank)) {
          return absl::ResourceExhaustedError(
              absl::StrCat("a tensor has more than ", kMaxRank, " dimensions"));
        }
        break;
      case TensorField::kDataType:
        tensor.type = AsType(field);
        break;
      case TensorField::kSegment:
        return absl::InvalidArgumentError("a tensor is stored in segments, which is not supported");
      case TensorField::kFloatData:
        fits = AppendFloats(field, tensor.floats);
        break;
      case TensorField::kInt32Data:
      case TensorField::kInt64Data:
      case TensorField::kUint64Data:
        fits = AppendVarints(field, tensor.ints);
        break;
      case TensorField::kStringData:
        tensor.strings.emplace_back(field.bytes);
        break;
      case TensorField::kName:
        tensor.name = NameOf(field.bytes);
        break;
      case TensorField::kRawData:
        fits = field.type == WireType::kBytes;
        tensor.raw = field.bytes;
        break;
      case TensorField::kDoubleData:
        fits = AppendDoubles(field, tensor.doubles);
        break;
      case TensorField::kExternalData:
        return DecodeEntry(field.bytes, tensor.external_data);
      case TensorField::kDataLocation:
        tensor.external = field.bits == 1;
        break;
    }
    return fits ? OkStatus() : WrongWireType("a tensor", field);
  };
  return ForEachField<TensorField>(bytes, decode);
}

Status DecodeSparseTensor(string_view bytes, SparseTensor& sparse) {
  return ForEachField<SparseField>(bytes, [&](SparseField f, const WireField& field) {
    if (f == SparseField::kValues) return DecodeTensor(field.bytes, sparse.values);
    if (f == SparseField::kIndices) return DecodeTensor(field.bytes, sparse.indices);
    if (f == SparseField::kDims && !AppendVarints(field, sparse.dims)) {
      return WrongWireType("a sparse tensor", field);
    }
    return OkStatus();
  });
}

namespace {

Status DecodeMapType(string_view bytes, Type& type, int depth) {
  type.kind = TypeKind::kMap;
  auto value = std::make_shared<Type>();
  const Status decoded =
      ForEachField<MapTypeField>(bytes, [&](MapTypeField f, const WireField& field) {
        if (f == MapTypeField::kValueType) return DecodeType(field.bytes, *value, depth + 1);
        type.element_type = static_cast<int32_t>(field.AsInt());
        return OkStatus();
      });
  type.element = std::move(value);
  return decoded;
}

}  // namespace

Status DecodeType(string_view bytes, Type& type, int depth) {
  if (depth > kMaxDepth) return TooDeep();
  const auto element = [&](TypeKind kind, const WireField& field) {
    type.kind = kind;
    auto inner = std::make_shared<Type>();
    const Status decoded =
        ForEachField<ElementField>(field.bytes, [&](ElementField e, const WireField& f) {
          return e == ElementField::kElementType ? DecodeType(f.bytes, *inner, depth + 1)
                                                 : OkStatus();
        });
    type.element = inner;
    return decoded;
  };
  return ForEachField<TypeField>(bytes, [&](TypeField f, const WireField& field) {
    switch (f) {
      case TypeField::kTensor:
      case TypeField::kSparse:
        type.kind = f == TypeField::kTensor ? TypeKind::kTensor : TypeKind::kSparse;
        return DecodeTensorType(field.bytes, type);
      case TypeField::kSequence:
        return element(TypeKind::kSequence, field);
      case TypeField::kOptional:
        return element(TypeKind::kOptional, field);
      case TypeField::kMap:
        return DecodeMapType(field.bytes, type, depth);
    }
    return OkStatus();
  });
}

Status DecodeValueInfo(string_view bytes, ValueInfo& info) {
  return ForEachField<ValueInfoField>(bytes, [&](ValueInfoField f, const WireField& field) {
    if (f == ValueInfoField::kName) info.name = NameOf(field.bytes);
    if (f == ValueInfoField::kType) return DecodeType(field.bytes, info.type, 0);
    return OkStatus();
  });
}

}  // namespace lathe::onnx
