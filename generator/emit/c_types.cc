#include "generator/emit/c_types.h"

namespace lathe::emit {

absl::string_view CType(ir::DType dtype) {
  if (!dtype.is_scalar()) return "";
  if (dtype.is_bool()) return "uint8_t";
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
