#include "generator/emit/c/kernel/print_c_elements.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::PrimRef;

absl::StatusOr<std::vector<std::string>> PrintCElements(CScope& scope, ir::BufferRef buffer,
                                                        const std::vector<PrimRef>& values) {
  const ir::DType dtype = buffer->dtype;
  std::vector<std::string> elements;
  if (SmallFloatName(dtype).empty() && !ir::IsPacked(dtype)) {
    for (PrimRef value : values) {
      LATHE_ASSIGN_OR_RETURN(elements.emplace_back(), PrintCExpr(scope, value));
    }
  } else {
    std::vector<uint8_t> bytes(ir::StorageBytes(dtype, values.size()));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto* number = values[i]->As<ir::IntImm>();
      const auto* real = values[i]->As<ir::FloatImm>();
      if (number == nullptr && real == nullptr) return CannotPrint(ir::ToString(values[i]));
      interp::WriteElement(bytes.data(), dtype, i,
                           real != nullptr ? interp::FromDouble(dtype, real->value)
                                           : static_cast<interp::Bits>(number->value));
    }
    const bool half = dtype.bits == 16;
    for (size_t i = 0; i < bytes.size(); i += half ? 2 : 1) {
      elements.push_back(absl::StrCat(half ? bytes[i] | bytes[i + 1] << 8 : bytes[i], "u"));
    }
  }
  if (elements.empty()) elements.emplace_back("0");  // C has no arrays of no elements
  return elements;
}

}  // namespace lathe::emit
