// Formats lists of names for messages.
#ifndef LATHE_SUPPORT_QUOTED_LIST_H_
#define LATHE_SUPPORT_QUOTED_LIST_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// "'a', 'b', 'c'" or, if there are more than `most`, "'a', 'b' and 7 more".
std::string QuotedList(absl::Span<const absl::string_view> names, size_t most = 20);

// The valid names in place of `name`: "; there are 'a', 'b'", and the likely intended one, or that
// alone if there is only one.
std::string InsteadOf(absl::string_view name, absl::Span<const absl::string_view> names);

}  // namespace lathe

#endif  // LATHE_SUPPORT_QUOTED_LIST_H_
