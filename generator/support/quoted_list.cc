#include "generator/support/quoted_list.h"

#include "absl/strings/str_cat.h"

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

}  // namespace lathe
