// "did you mean ...?"
#ifndef LATHE_SUPPORT_CLOSEST_NAME_H_
#define LATHE_SUPPORT_CLOSEST_NAME_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

// The candidate that `name` was most likely meant to be: the fewest typing slips away (a letter too
// many, missing, wrong, or two swapped), at most one for every three letters. The earliest of
// equals; empty when none is near.
absl::string_view ClosestName(absl::string_view name,
                              absl::Span<const absl::string_view> candidates);

// "; did you mean 'x'?", or nothing when no candidate is near.
std::string DidYouMean(absl::string_view name, absl::Span<const absl::string_view> candidates);

}  // namespace lathe

#endif  // LATHE_SUPPORT_CLOSEST_NAME_H_
