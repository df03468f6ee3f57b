#include "generator/emit/c_types.h"

#include "generator/ir/program.h"

namespace lathe::emit {

absl::string_view SmallFloatName(ir::DType dtype) {
  if (!dtype.is_scalar()) return "";
  switch (dtype.code) {
    case ir::TypeCode::kFloat:
      return dtype.bits == 16 ? "f16" : "";
    case ir::TypeCode::kBFloat:
      return "bf16";
    case ir::TypeCode::kFloat8E3M4:
      return "e3m4";
    case ir::TypeCode::kFloat8E4M3:
      return "e4m3";
    case ir::TypeCode::kFloat8E4M3B11Fnuz:
      return "e4m3b11fnuz";
    case ir::TypeCode::kFloat8E4M3Fn:
      return "e4m3fn";
    case ir::TypeCode::kFloat8E4M3Fnuz:
      return "e4m3fnuz";
    case ir::TypeCode::kFloat8E5M2:
      return "e5m2";
    case ir::TypeCode::kFloat8E5M2Fnuz:
      return "e5m2fnuz";
    default:
      return "";
  }
}

const char* SmallFloatHeader(ir::DType dtype) {
  return dtype.bits == 8 ? "\"lathe/float8.h\"" : "\"lathe/half.h\"";
}

absl::string_view CScalarType(ir::DType dtype) {
  return SmallFloatName(dtype).empty() ? CType(dtype) : "float";
}

absl::string_view CType(ir::DType dtype) {
  if (!dtype.is_scalar()) return "";
  if (dtype == ir::kValueDType) return "lathe_value";
  if (dtype.is_bool()) return "uint8_t";
  if (!SmallFloatName(dtype).empty()) return dtype.bits == 8 ? "uint8_t" : "uint16_t";
  if (dtype.code == ir::TypeCode::kFloat) {
    return dtype.bits == 32 ? "float" : dtype.bits == 64 ? "double" : "";
  }
  const bool is_signed = dtype.is_int();
  if (!dtype.is_integer()) return "";
  switch (dtype.bits) {
    case 8:
      return is_signed ? "int8_t" : "uint8_t";
    case 16:
      return is_signed ? "int16_t" : "uint16_t";
    case 32:
      return is_signed ? "int32_t" : "uint32_t";
    case 64:
      return is_signed ? "int64_t" : "uint64_t";
    default:
      return "";
  }
}

}  // namespace lathe::emit
