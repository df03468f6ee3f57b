// Names as messages list them.
#ifndef LATHE_SUPPORT_QUOTED_LIST_H_
#define LATHE_SUPPORT_QUOTED_LIST_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// "'a', 'b', 'c'", or, where they are more than `most`, "'a', 'b' and 7 more".
std::string QuotedList(absl::Span<const absl::string_view> names, size_t most = 20);

// What there is in place of `name`: "; there are 'a', 'b'", and the one that was likely meant,
// which is enough where there is no other.
std::string InsteadOf(absl::string_view name, absl::Span<const absl::string_view> names);

}  // namespace lathe

#endif  // LATHE_SUPPORT_QUOTED_LIST_H_
