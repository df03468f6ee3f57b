// Suggests similar names: "did you mean ...?"
#ifndef LATHE_SUPPORT_CLOSEST_NAME_H_
#define LATHE_SUPPORT_CLOSEST_NAME_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// Returns the candidate with the fewest typing errors (a letter inserted, missing, wrong, or two
// swapped) from `name`, at most one per three letters. Of equals the first; empty if none is near.
absl::string_view ClosestName(absl::string_view name,
                              absl::Span<const absl::string_view> candidates);

// "; did you mean 'x'?", or nothing if no candidate is near.
std::string DidYouMean(absl::string_view name, absl::Span<const absl::string_view> candidates);

}  // namespace lathe

#endif  // LATHE_SUPPORT_CLOSEST_NAME_H_
