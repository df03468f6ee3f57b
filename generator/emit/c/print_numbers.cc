#include "generator/emit/c/print_numbers.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_number.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/packed_elements.h"

namespace lathe::emit {
namespace {

constexpr size_t kLineBytes = 92;  // after four spaces

bool IsNumber(ir::DType t) {
  if (!t.is_scalar() || ir::IsPacked(t)) return false;
  if (t.code == ir::TypeCode::kFloat) return t.bits == 32 || t.bits == 64;
  return t.is_bool() || (t.is_integer() && t.bits <= 64);
}

// Returns the literal of an element, or nullopt for a float that no literal gives exactly.
std::optional<std::string> ElementText(ir::DType t, interp::Bits bits) {
  if (t.is_floating()) {
    const double value = interp::ToDouble(t, bits);
    const bool single = t.bits == 32;
    // Compilers may read the digits of a subnormal number as 0.
    const bool normal = single ? std::isnormal(static_cast<float>(value)) : std::isnormal(value);
    if (!normal && value != 0) return std::nullopt;
    return CFloatNumber(value, single);
  }
  // C converts numbers below those of int without a suffix.
  if (t.bits < 32) return absl::StrCat(static_cast<int64_t>(bits));
  return CIntegerNumber(t, static_cast<int64_t>(bits));
}

}  // namespace

std::string NumbersText(ir::DType dtype, absl::string_view bytes) {
  if (!IsNumber(dtype) || bytes.empty()) return "";
  const size_t count = bytes.size() / ((static_cast<size_t>(dtype.bits) + 7) / 8);
  // A compiler that reads a single integer as a number warns about conditions on it.
  if (count > kMaxNumbers || (count == 1 && !dtype.is_floating())) return "";
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  std::string text;
  size_t line = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<std::string> number =
        ElementText(dtype, interp::ReadElement(data, dtype, i));
    if (!number) return "";
    const bool continues = i > 0 && line + number->size() + 2 <= kLineBytes;
    if (i > 0) text += continues ? " " : "\n";
    line = (continues ? line + 1 : 0) + number->size() + 1;
    absl::StrAppend(&text, *number, ",");
  }
  return text;
}

}  // namespace lathe::emit
