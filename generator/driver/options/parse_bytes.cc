#include "generator/driver/options/parse_bytes.h"

#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace lathe::driver {

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  int64_t unit = 1;
  absl::string_view number = text;
  constexpr std::pair<absl::string_view, int64_t> kUnits[] = {
      {"K", int64_t{1} << 10}, {"M", int64_t{1} << 20}, {"G", int64_t{1} << 30}};
  for (const auto& [letter, bytes] : kUnits) {
    if (absl::ConsumeSuffix(&number, absl::StrCat(letter, "iB")) ||
        absl::ConsumeSuffix(&number, absl::StrCat(letter, "B")) ||
        absl::ConsumeSuffix(&number, letter)) {
      unit = bytes;
      break;
    }
  }
  if (number.empty() || !absl::c_all_of(number, absl::ascii_isdigit)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a size must be a number of bytes, as 65536, or with K, M or G, as 64K, 64KB "
                     "or 64KiB, which are equal; got '",
                     text, "'"));
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(number, &value) || __builtin_mul_overflow(value, unit, &value)) {
    return absl::InvalidArgumentError(absl::StrCat("a size must be at most ",
                                                   std::numeric_limits<int64_t>::max(),
                                                   " bytes; got '", text, "'"));
  }
  return value;
}

}  // namespace lathe::driver
