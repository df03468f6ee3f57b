#include "generator/reader/tflite/format/tensor_types.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::tflite {
namespace {

using ir::DType;
using ir::TypeCode;

struct TypeRow {
  absl::string_view name;
  int bits;  // in the file; of complex64, the bits of each of the two numbers of an element
  DType dtype;
};

// By number.
constexpr TypeRow kTypes[] = {
    {"float32", 32, DType::Float(32)},
    {"float16", 16, DType::Float(16)},
    {"int32", 32, DType::Int(32)},
    {"uint8", 8, DType::UInt(8)},
    {"int64", 64, DType::Int(64)},
    {"string", 0, DType::Void()},
    {"bool", 8, DType::Bool()},
    {"int16", 16, DType::Int(16)},
    {"complex64", 32, DType::Float(32)},
    {"int8", 8, DType::Int(8)},
    {"float64", 64, DType::Float(64)},
    {"complex128", 128, DType::Void()},
    {"uint64", 64, DType::UInt(64)},
    {"resource", 0, DType::Void()},
    {"variant", 0, DType::Void()},
    {"uint32", 32, DType::UInt(32)},
    {"uint16", 16, DType::UInt(16)},
    {"int4", 4, DType::Int(8)},
    {"bfloat16", 16, DType::Make(TypeCode::kBFloat, 16, 1)},
    {"int2", 2, DType::Int(8)},
    {"uint4", 4, DType::UInt(8)},
    {"float8_e4m3fn", 8, DType::Make(TypeCode::kFloat8E4M3Fn, 8, 1)},
    {"float8_e5m2", 8, DType::Make(TypeCode::kFloat8E5M2, 8, 1)},
};

const TypeRow* RowOf(int type) {
  return type >= 0 && type < static_cast<int>(std::size(kTypes)) ? &kTypes[type] : nullptr;
}

}  // namespace

std::optional<DType> DTypeOf(int tensor_type) {
  const TypeRow* row = RowOf(tensor_type);
  if (row == nullptr || row->dtype.is_void()) return std::nullopt;
  return row->dtype;
}

int BitsInFile(int tensor_type) {
  const TypeRow* row = RowOf(tensor_type);
  return row == nullptr ? 0 : row->bits;
}

std::string TypeName(int tensor_type) {
  const TypeRow* row = RowOf(tensor_type);
  return row == nullptr ? absl::StrCat("type ", tensor_type) : std::string(row->name);
}

}  // namespace lathe::tflite
