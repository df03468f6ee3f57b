#include "generator/driver/view/group_digits.h"

#include "absl/strings/str_cat.h"

namespace lathe::driver {

std::string GroupDigits(int64_t number) {
  const std::string digits = absl::StrCat(number);
  const size_t first = number < 0 ? 1 : 0;
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text.push_back(' ');
    text.push_back(digits[i]);
  }
  return text;
}

}  // namespace lathe::driver
