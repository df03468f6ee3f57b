#include "generator/reader/relay_text/syntax/number.h"

#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

absl::Status Malformed(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("malformed number '", text, "': ", why));
}

// "f", "f16", "i64": the width is optional.
absl::StatusOr<ir::DType> DTypeOfSuffix(absl::string_view text, absl::string_view suffix) {
  int bits = 32;
  if (suffix.size() > 1 && !absl::SimpleAtoi(suffix.substr(1), &bits)) bits = 0;
  if (suffix[0] == 'f' && (bits == 16 || bits == 32 || bits == 64)) return ir::DType::Float(bits);
  if (suffix[0] == 'i' && (bits == 8 || bits == 16 || bits == 32 || bits == 64)) {
    return ir::DType::Int(bits);
  }
  return Malformed(text, "the suffixes are f, f16, f32, f64, i, i8, i16, i32 and i64");
}

absl::StatusOr<Number> SpecialFloat(absl::string_view text, bool negative) {
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, DTypeOfSuffix(text, text.substr(3)));
  const double value = absl::StartsWith(text, "inf") ? std::numeric_limits<double>::infinity()
                                                     : std::numeric_limits<double>::quiet_NaN();
  return Number{dtype, negative ? -value : value};
}

bool Fits(int64_t value, int bits) {
  if (bits == 64) return true;
  const int64_t limit = int64_t{1} << (bits - 1);
  return value >= -limit && value < limit;
}

absl::StatusOr<Number> ReadInteger(absl::string_view text, absl::string_view digits,
                                   absl::string_view suffix, bool negative) {
  if (digits.find_first_not_of("0123456789") != digits.npos) {
    return Malformed(text, "it is not a number");
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(absl::StrCat(negative ? "-" : "", digits), &value)) {
    return Malformed(text, "out of range for int64");
  }
  ir::DType dtype = Fits(value, 32) ? ir::DType::Int(32) : ir::DType::Int(64);
  if (!suffix.empty()) {
    LATHE_ASSIGN_OR_RETURN(dtype, DTypeOfSuffix(text, suffix));
    if (!Fits(value, dtype.bits)) {
      return Malformed(text, absl::StrCat("out of range for ", ir::ToString(dtype)));
    }
  }
  return Number{dtype, value};
}

}  // namespace

absl::StatusOr<Number> ReadNumber(absl::string_view text, bool negative, bool bare_floats) {
  if (text[0] == 'i' || text[0] == 'n') return SpecialFloat(text, negative);
  const size_t end = text.find_first_of("fi");
  const absl::string_view digits = text.substr(0, end);
  const absl::string_view suffix = end == text.npos ? absl::string_view() : text.substr(end);
  const bool fraction = digits.find_first_of(".eE") != digits.npos;
  const bool floating = absl::StartsWith(suffix, "f") || (fraction && suffix.empty());
  if (!floating) {
    if (fraction) return Malformed(text, "an integer has no fraction");
    return ReadInteger(text, digits, suffix, negative);
  }
  if (suffix.empty() && !bare_floats) {
    return Malformed(text, absl::StrCat("a float needs a suffix, as in ", text, "f"));
  }
  ir::DType dtype = ir::DType::Float(32);
  if (!suffix.empty()) {
    LATHE_ASSIGN_OR_RETURN(dtype, DTypeOfSuffix(text, suffix));
  }
  double value = 0;
  if (!absl::SimpleAtod(digits, &value)) return Malformed(text, "it is not a number");
  // Attributes are doubles, whatever their suffix.
  const double largest = dtype.bits == 16   ? 65504.0
                         : dtype.bits == 32 ? std::numeric_limits<float>::max()
                                            : std::numeric_limits<double>::max();
  // The shortest digits of the largest float32 exceed it as a double.
  const double rounded = dtype.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value;
  if (rounded > largest && !bare_floats) {
    return Malformed(text, absl::StrCat("out of range for ", ir::ToString(dtype)));
  }
  return Number{dtype, negative ? -value : value};
}

ir::Constant ConstantOf(const Number& number) {
  ir::Constant constant;
  constant.dtype = number.dtype;
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(number.dtype, 1));
  const interp::Bits bits = std::holds_alternative<double>(number.value)
                                ? interp::FromDouble(number.dtype, std::get<double>(number.value))
                                : interp::FromInt64(number.dtype, std::get<int64_t>(number.value));
  interp::WriteElement(bytes->data(), number.dtype, 0, bits);
  constant.bytes = std::move(bytes);
  return constant;
}

}  // namespace lathe::relay
