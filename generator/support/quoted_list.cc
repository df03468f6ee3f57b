#include "generator/support/quoted_list.h"

#include "absl/strings/str_cat.h"
#include "generator/support/closest_name.h"

namespace lathe {

std::string QuotedList(absl::Span<const absl::string_view> names, size_t most) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == most) {
      absl::StrAppend(&list, " and ", names.size() - i, " more");
      break;
    }
    absl::StrAppend(&list, i == 0 ? "" : ", ", "'", names[i], "'");
  }
  return list;
}

std::string InsteadOf(absl::string_view name, absl::Span<const absl::string_view> names) {
  if (names.empty()) return "; there is none";
  const std::string close = DidYouMean(name, names);
  if (names.size() == 1) return close.empty() ? absl::StrCat("; there is '", names[0], "'") : close;
  return absl::StrCat("; there are ", QuotedList(names), close);
}

}  // namespace lathe
