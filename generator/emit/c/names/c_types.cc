#include "generator/emit/c/names/c_types.h"

#include <algorithm>

#include "generator/ir/packed_elements.h"
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
    case ir::TypeCode::kFloat8E8M0Fnu:
      return "e8m0fnu";
    case ir::TypeCode::kFloat6E2M3Fn:
      return "e2m3fn";
    case ir::TypeCode::kFloat6E3M2Fn:
      return "e3m2fn";
    case ir::TypeCode::kFloat4E2M1Fn:
      return "e2m1fn";
    default:
      return "";
  }
}

absl::string_view CScalarType(ir::DType dtype) {
  if (!SmallFloatName(dtype).empty()) return "float";
  if (!dtype.is_scalar() || !ir::IsPacked(dtype) || !dtype.is_integer()) return CType(dtype);
  int bits = 8;
  while (bits < dtype.bits) bits *= 2;
  return CType(ir::DType::Make(dtype.code, bits, 1));
}

absl::string_view CZero(ir::DType dtype) {
  return !dtype.is_floating() ? "0" : dtype.bits == 64 ? "0.0" : "0.0f";
}

absl::string_view CLocalType(ir::DType dtype) {
  return dtype.is_integer() ? CScalarType(dtype) : CType(dtype);
}

absl::string_view CType(ir::DType dtype) {
  if (!dtype.is_scalar()) return "";
  if (dtype == ir::kValueDType) return "lathe_value";
  if (dtype.is_bool()) return "uint8_t";
  if (!SmallFloatName(dtype).empty()) return dtype.bits <= 8 ? "uint8_t" : "uint16_t";
  if (dtype.code == ir::TypeCode::kFloat) {
    return dtype.bits == 32 ? "float" : dtype.bits == 64 ? "double" : "";
  }
  const bool is_signed = dtype.is_int();
  if (!dtype.is_integer() || dtype.bits > 64) return "";
  if (ir::IsPacked(dtype)) return "uint8_t";
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

int64_t CLength(ir::DType dtype, int64_t elements) {
  const auto count = static_cast<uint64_t>(std::max<int64_t>(elements, 1));
  return static_cast<int64_t>(ir::IsPacked(dtype) ? ir::StorageBytes(dtype, count) : count);
}

}  // namespace lathe::emit
