#include "generator/ir/print/print_constant.h"

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

uint64_t LoadElement(const std::vector<uint8_t>& bytes, size_t index, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) value |= uint64_t{bytes[index * size + i]} << (8 * i);
  return value;
}

double FromHalf(uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 1023);
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? HUGE_VAL
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 != 0 ? -value : value;
}

// The text of a NaN does not preserve its payload.
std::optional<double> FloatOf(DType dtype, uint64_t bits) {
  double value = 0;
  if (dtype.code == TypeCode::kBFloat) {
    value = std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  } else if (dtype.bits == 16) {
    if ((bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0) return std::nullopt;
    value = FromHalf(bits);
  } else if (dtype.bits == 32) {
    value = std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else {
    value = std::bit_cast<double>(bits);
  }
  if (std::isnan(value)) return std::nullopt;
  return value;
}

// Returns nothing if there is no literal.
std::optional<std::string> Element(DType dtype, const std::vector<uint8_t>& bytes, size_t index) {
  if (!dtype.is_scalar()) return std::nullopt;
  if (dtype.is_bool()) {
    if (bytes[index] > 1) return std::nullopt;
    return bytes[index] != 0 ? "True" : "False";
  }
  if (dtype.bits < 8 || dtype.bits > 64) return std::nullopt;
  const uint64_t bits = LoadElement(bytes, index, dtype.bits / 8);
  if (dtype.is_uint()) return absl::StrCat(bits);
  if (dtype.is_int()) {
    const int unused = 64 - dtype.bits;
    return absl::StrCat(static_cast<int64_t>(bits << unused) >> unused);
  }
  const bool plain =
      (dtype.code == TypeCode::kFloat || dtype.code == TypeCode::kBFloat) && dtype.bits >= 16;
  if (!plain) return std::nullopt;
  const std::optional<double> value = FloatOf(dtype, bits);
  if (!value) return std::nullopt;
  const std::string text = FloatLiteral(*value);
  return std::isfinite(*value) ? text : absl::StrCat("float(", text, ")");
}

class Nested {
 public:
  explicit Nested(const Constant& constant) : constant_(constant) {}

  // Prints the elements from dimension `axis` inwards; nothing if one has no literal.
  std::optional<std::string> Print(size_t axis) {
    if (axis == constant_.shape.size()) return Element(constant_.dtype, *constant_.bytes, next_++);
    std::vector<std::string> items;
    for (int64_t i = 0; i < constant_.shape[axis]; ++i) {
      std::optional<std::string> item = Print(axis + 1);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
  }

 private:
  const Constant& constant_;
  size_t next_ = 0;
};

// Returns whether it has at most `limit` elements and a shape that nested lists can express.
bool IsSmall(const Constant& c, int64_t limit) {
  if (c.shape.size() > 8) return false;
  int64_t count = 1;
  for (const int64_t dim : c.shape) {
    if (dim <= 0 || dim > limit) return false;
    count *= dim;
    if (count > limit) return false;
  }
  return true;
}

}  // namespace

std::string PrintConstant(ConstantId id, const GraphText& text) {
  const Constant& c = text.module.constants[id];
  if (c.shape.empty() || IsSmall(c, text.options.max_list_elements)) {
    if (const std::optional<std::string> value = Nested(c).Print(0)) {
      return absl::StrCat("R.const(", *value, ", \"", ToString(c.dtype), "\")");
    }
  }
  return text.metadata.Reference(id);
}

}  // namespace lathe::ir
