#include "generator/driver/options/parse_bytes.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace lathe::driver {

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  const auto wrong = [&, whole = text] {
    return absl::InvalidArgumentError(absl::StrCat(
        "a size must be a number of bytes, such as 65536, 64K or 64KiB; got '", whole, "'"));
  };
  int64_t unit = 1;
  absl::string_view number = text;
  if (absl::ConsumeSuffix(&number, "B")) absl::ConsumeSuffix(&number, "i");
  for (const auto& [letter, bytes] : {std::pair("K", 1 << 10), {"M", 1 << 20}, {"G", 1 << 30}}) {
    if (absl::ConsumeSuffix(&number, letter)) {
      unit = bytes;
      break;
    }
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(number, &value) || value < 0 ||
      __builtin_mul_overflow(value, unit, &value)) {
    return wrong();
  }
  return value;
}

}  // namespace lathe::driver
