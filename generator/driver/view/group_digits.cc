#include "generator/driver/view/group_digits.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lathe::driver {

namespace {

std::string InThrees(const std::string& digits) {
  const size_t first = digits[0] == '-' ? 1 : 0;
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text.push_back(' ');
    text.push_back(digits[i]);
  }
  return text;
}

}  // namespace

std::string GroupDigits(int64_t number) { return InThrees(absl::StrCat(number)); }

std::string GroupDigitsOfReal(double number) { return InThrees(absl::StrFormat("%.0f", number)); }

}  // namespace lathe::driver
