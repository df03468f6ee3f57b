#include "generator/support/closest_name.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace lathe {
namespace {

// Longer names are not compared: the cost is quadratic.
constexpr size_t kMaxLength = 128;

// Optimal string alignment distance.
size_t Distance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

absl::string_view ClosestName(absl::string_view name,
                              absl::Span<const absl::string_view> candidates) {
  if (name.size() > kMaxLength) return "";
  absl::string_view best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (absl::string_view candidate : candidates) {
    if (candidate.size() > kMaxLength) continue;
    const size_t distance = Distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string DidYouMean(absl::string_view name, absl::Span<const absl::string_view> candidates) {
  const absl::string_view best = ClosestName(name, candidates);
  return best.empty() ? "" : absl::StrCat("; did you mean '", best, "'?");
}

}  // namespace lathe
