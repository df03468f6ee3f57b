// Formats lists of names for messages.
#ifndef LATHE_SUPPORT_QUOTED_LIST_H_
#define LATHE_SUPPORT_QUOTED_LIST_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// Returns "'a', 'b', 'c'" or, if there are more than `most` names, "'a', 'b' and 7 more".
std::string QuotedList(absl::Span<const absl::string_view> names, size_t most = 20);

// Returns the end of a message about the invalid name `name`. It lists the valid `names` and
// suggests the closest one: "; there are 'a', 'b'; did you mean 'a'?". For a single valid name it
// is "; did you mean 'a'?" if that is close, else "; there is 'a'". Without names it is "; there is
// none".
std::string InsteadOf(absl::string_view name, absl::Span<const absl::string_view> names);

}  // namespace lathe

#endif  // LATHE_SUPPORT_QUOTED_LIST_H_
