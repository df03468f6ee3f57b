// Suggests similar names: "did you mean ...?"
#ifndef LATHE_SUPPORT_CLOSEST_NAME_H_
#define LATHE_SUPPORT_CLOSEST_NAME_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// Returns the candidate that differs from `name` by the fewest typing errors (a letter inserted,
// missing, wrong, or two swapped), or the first of several. Returns an empty string if no candidate
// is near: one error is allowed for each three letters, and one in a shorter name. Names of more
// than 128 bytes are not compared.
absl::string_view ClosestName(absl::string_view name,
                              absl::Span<const absl::string_view> candidates);

// Returns "; did you mean 'x'?", or an empty string if no candidate is near.
std::string DidYouMean(absl::string_view name, absl::Span<const absl::string_view> candidates);

}  // namespace lathe

#endif  // LATHE_SUPPORT_CLOSEST_NAME_H_
