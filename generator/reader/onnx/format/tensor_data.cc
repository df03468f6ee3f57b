#include "generator/reader/onnx/format/tensor_data.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/external_data.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using ir::DType;

struct ElementType {
  const char* name;
  DType dtype;          // void: unsupported
  int packed_bits = 0;  // bits of an element, if several share a byte in files
};
// Indexed by ONNX element type.
constexpr ElementType kElementTypes[] = {
    {"undefined", DType::Void()},
    {"float", DType::Float(32)},
    {"uint8", DType::UInt(8)},
    {"int8", DType::Int(8)},
    {"uint16", DType::UInt(16)},
    {"int16", DType::Int(16)},
    {"int32", DType::Int(32)},
    {"int64", DType::Int(64)},
    {"string", DType::Void()},
    {"bool", DType::Bool()},
    {"float16", DType::Float(16)},
    {"double", DType::Float(64)},
    {"uint32", DType::UInt(32)},
    {"uint64", DType::UInt(64)},
    {"complex64", DType::Void()},
    {"complex128", DType::Void()},
    {"bfloat16", DType::Make(ir::TypeCode::kBFloat, 16, 1)},
    {"float8e4m3fn", DType::UInt(8)},
    {"float8e4m3fnuz", DType::UInt(8)},
    {"float8e5m2", DType::UInt(8)},
    {"float8e5m2fnuz", DType::UInt(8)},
    {"uint4", DType::UInt(8), 4},
    {"int4", DType::Int(8), 4},
    {"float4e2m1", DType::UInt(8), 4},
    {"float8e8m0", DType::UInt(8)},
    {"uint2", DType::UInt(8), 2},
    {"int2", DType::Int(8), 2},
    {"float6e2m3", DType::UInt(8), 6},
    {"float6e3m2", DType::UInt(8), 6},
};

using Bytes = std::vector<uint8_t>;

absl::Status WrongCount(size_t got, uint64_t want) {
  return absl::InvalidArgumentError(
      absl::StrCat("has ", got, " elements of data, but its dimensions specify ", want));
}

// Unpacks elements smaller than a byte, the lowest bits first, into one byte each.
Bytes Unpacked(const Bytes& packed, int bits, bool is_signed, uint64_t count) {
  Bytes bytes(count);
  const auto width = static_cast<uint64_t>(bits);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t first = i * width, last = first + width - 1;
    // An element of 6 bits may cross a byte.
    const int high = last / 8 == first / 8 ? 0 : packed[last / 8] << 8;
    int value = (packed[first / 8] | high) >> (first % 8) & ((1 << bits) - 1);
    if (is_signed && value >= 1 << (bits - 1)) value -= 1 << bits;
    bytes[i] = static_cast<uint8_t>(value);
  }
  return bytes;
}

// Fills elements from an integer field, such as int32_data, which also stores bit patterns of
// floats.
absl::Status FillFromInts(const std::vector<int64_t>& ints, DType dtype, uint64_t count,
                          Bytes& bytes) {
  if (ints.size() != count) return WrongCount(ints.size(), count);
  for (size_t i = 0; i < ints.size(); ++i) {
    if (dtype.is_bool()) {
      bytes[i] = ints[i] != 0;
      continue;
    }
    const size_t size = dtype.bits / 8;
    for (size_t b = 0; b < size; ++b) {
      bytes[i * size + b] = static_cast<uint8_t>(static_cast<uint64_t>(ints[i]) >> (8 * b));
    }
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status FillFromFloats(const std::vector<T>& floats, DType dtype, uint64_t count,
                            Bytes& bytes) {
  if (floats.size() != count) return WrongCount(floats.size(), count);
  for (size_t i = 0; i < floats.size(); ++i) {
    interp::WriteElement(bytes.data(), dtype, i,
                         interp::FromDouble(dtype, static_cast<double>(floats[i])));
  }
  return absl::OkStatus();
}

absl::Status FillFromRaw(absl::string_view raw, DType dtype, Bytes& bytes) {
  if (raw.size() != bytes.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "has ", raw.size(), " bytes of data, but its dimensions and type specify ", bytes.size()));
  }
  if (!raw.empty()) std::memcpy(bytes.data(), raw.data(), raw.size());
  if (dtype.is_bool()) {
    for (uint8_t& b : bytes) b = b != 0;
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> CountOf(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 0) return absl::InvalidArgumentError(absl::StrCat("has a dimension of ", dim));
    if (dim != 0 && count > kMaxElements / dim) {
      return absl::InvalidArgumentError("has more elements than a file can hold");
    }
    count *= dim;
  }
  return static_cast<uint64_t>(count);
}

}  // namespace

std::optional<DType> DTypeOf(int32_t type) {
  if (type < 0 || static_cast<size_t>(type) >= std::size(kElementTypes)) return std::nullopt;
  const DType dtype = kElementTypes[type].dtype;
  if (dtype.is_void()) return std::nullopt;
  return dtype;
}

std::string ElementTypeName(int32_t type) {
  if (type < 0 || static_cast<size_t>(type) >= std::size(kElementTypes)) {
    return absl::StrCat("element type ", type);
  }
  return kElementTypes[type].name;
}

absl::StatusOr<ir::Constant> ReadTensor(const Tensor& tensor, const std::string& folder) {
  const std::optional<DType> dtype = DTypeOf(tensor.type);
  if (!dtype) {
    return absl::UnimplementedError(
        absl::StrCat("is of ", ElementTypeName(tensor.type), "s, which are not supported"));
  }
  LATHE_ASSIGN_OR_RETURN(const uint64_t count, CountOf(tensor.dims));
  const int packed = kElementTypes[tensor.type].packed_bits;
  const uint64_t size = packed == 0 ? ir::StorageBytes(*dtype, count)
                                    : (count * static_cast<uint64_t>(packed) + 7) / 8;
  // Checks the size of the data before it allocates, so that a small file cannot claim much memory.
  std::string external;
  absl::string_view raw = tensor.raw.value_or("");
  if (tensor.external) {
    LATHE_ASSIGN_OR_RETURN(external, ReadExternalData(tensor.external_data, folder, size));
    raw = external;
  }
  const size_t given =
      raw.size() + tensor.floats.size() + tensor.ints.size() + tensor.doubles.size();
  if (given == 0 && size != 0) return WrongCount(0, count);
  if (size / 8 > given) return WrongCount(given, count);
  auto bytes = std::make_shared<Bytes>(size);
  absl::Status filled;
  const bool real = *dtype == DType::Float(32) || *dtype == DType::Float(64);
  if (tensor.external || tensor.raw) {
    filled = FillFromRaw(raw, *dtype, *bytes);
  } else if (real && !tensor.doubles.empty()) {
    filled = FillFromFloats(tensor.doubles, *dtype, count, *bytes);
  } else if (real) {
    filled = FillFromFloats(tensor.floats, *dtype, count, *bytes);
  } else {
    filled = FillFromInts(tensor.ints, *dtype, packed == 0 ? count : size, *bytes);
  }
  LATHE_RETURN_IF_ERROR(filled);
  if (packed != 0) *bytes = Unpacked(*bytes, packed, dtype->is_int(), count);
  return ir::Constant{*dtype, tensor.dims, std::move(bytes)};
}

absl::StatusOr<ir::Constant> ReadSparseTensor(const SparseTensor& sparse,
                                              const std::string& folder) {
  LATHE_ASSIGN_OR_RETURN(const ir::Constant values, ReadTensor(sparse.values, folder));
  LATHE_ASSIGN_OR_RETURN(const ir::Constant indices, ReadTensor(sparse.indices, folder));
  LATHE_ASSIGN_OR_RETURN(const uint64_t count, CountOf(sparse.dims));
  const size_t rank = sparse.dims.size();
  const uint64_t given = values.shape.size() == 1 ? static_cast<uint64_t>(values.shape[0]) : 0;
  const bool flat = indices.shape.size() == 1;
  if (values.shape.size() != 1 || indices.dtype != DType::Int(64) || indices.shape.empty() ||
      indices.shape.size() > 2 || static_cast<uint64_t>(indices.shape[0]) != given ||
      (!flat && static_cast<size_t>(indices.shape[1]) != rank)) {
    return absl::InvalidArgumentError("has indices that do not match its values");
  }
  const uint64_t most = std::max(kMaxSparseBytes, kMaxZeros * values.bytes->size());
  if (ir::StorageBytes(values.dtype, count) > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "takes ", ir::StorageBytes(values.dtype, count), " bytes with its zeros, more than ", most,
        ": ", kMaxSparseBytes >> 20, " MiB, or ", kMaxZeros, " times its stored bytes"));
  }
  auto bytes = std::make_shared<Bytes>(ir::StorageBytes(values.dtype, count));
  std::optional<uint64_t> before;
  for (uint64_t n = 0; n < given; ++n) {
    uint64_t at = 0;
    for (size_t d = 0; d < (flat ? 1 : rank); ++d) {
      const auto index = static_cast<int64_t>(
          interp::ReadElement(indices.bytes->data(), indices.dtype, flat ? n : n * rank + d));
      const int64_t dim = flat ? static_cast<int64_t>(count) : sparse.dims[d];
      if (index < 0 || index >= dim) {
        return absl::InvalidArgumentError(absl::StrCat("has the index ", index, " of ", dim));
      }
      at = at * static_cast<uint64_t>(dim) + static_cast<uint64_t>(index);
    }
    if (before && at <= *before) {
      return absl::InvalidArgumentError("has indices that are not sorted or not unique");
    }
    before = at;
    interp::WriteElement(bytes->data(), values.dtype, at,
                         interp::ReadElement(values.bytes->data(), values.dtype, n));
  }
  return ir::Constant{values.dtype, sparse.dims, std::move(bytes)};
}

}  // namespace lathe::onnx
