#include "generator/emit/c_types.h"

#include "generator/ir/program.h"

namespace lathe::emit {

absl::string_view HalfName(ir::DType dtype) {
  if (dtype == ir::DType::Float(16)) return "f16";
  return dtype.code == ir::TypeCode::kBFloat && dtype.is_scalar() ? "bf16" : "";
}

absl::string_view CScalarType(ir::DType dtype) {
  return HalfName(dtype).empty() ? CType(dtype) : "float";
}

absl::string_view CType(ir::DType dtype) {
  if (!dtype.is_scalar()) return "";
  if (dtype == ir::kValueDType) return "lathe_value";
  if (dtype.is_bool()) return "uint8_t";
  if (!HalfName(dtype).empty()) return "uint16_t";
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
