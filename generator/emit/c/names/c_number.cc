#include "generator/emit/c/names/c_number.h"

#include <cmath>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lathe::emit {

std::string CFloatNumber(double value, bool single) {
  // A value beyond the range of float is an infinity, for which compilers require the macro.
  if (single) value = static_cast<float>(value);
  if (std::isnan(value)) return single ? "NAN" : "(double)NAN";
  if (std::isinf(value)) {
    return absl::StrCat(value < 0 ? "-" : "", single ? "" : "(double)", "INFINITY");
  }
  std::string text;
  for (int digits = single ? 6 : 15; digits <= 17; ++digits) {
    text = absl::StrFormat("%.*g", digits, value);
    double back = 0;
    (void)absl::SimpleAtod(text, &back);
    if (single ? static_cast<float>(back) == static_cast<float>(value) : back == value) break;
  }
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

std::string CIntegerNumber(ir::DType dtype, int64_t value) {
  if (dtype.is_bool()) return value != 0 ? "1u" : "0u";
  if (dtype.is_uint()) {
    const uint64_t bits = static_cast<uint64_t>(value);
    return dtype.bits > 32 ? absl::StrCat("UINT64_C(", bits, ")") : absl::StrCat(bits, "u");
  }
  if (dtype.bits <= 32) {
    return value == std::numeric_limits<int32_t>::min() ? "INT32_MIN" : absl::StrCat(value);
  }
  if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
  return absl::StrCat("INT64_C(", value, ")");
}

}  // namespace lathe::emit
