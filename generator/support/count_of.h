// Formats counts for messages: "1 dimension", "2 dimensions".
#ifndef LATHE_SUPPORT_COUNT_OF_H_
#define LATHE_SUPPORT_COUNT_OF_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe {

// Returns `n` with the noun `one` if `n` is 1, else with `many`, which defaults to `one` with an s.
inline std::string CountOf(int64_t n, absl::string_view one, absl::string_view many = "") {
  if (n == 1) return absl::StrCat(n, " ", one);
  return many.empty() ? absl::StrCat(n, " ", one, "s") : absl::StrCat(n, " ", many);
}

}  // namespace lathe

#endif  // LATHE_SUPPORT_COUNT_OF_H_
