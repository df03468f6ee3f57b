#include "generator/plan/conflicts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lathe::plan {

std::optional<Conflicts> Conflicts::Find(absl::Span<const Bar> bars, int64_t max_pairs) {
  std::vector<int> by_begin(bars.size());
  std::iota(by_begin.begin(), by_begin.end(), 0);
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [bars](int a, int b) { return bars[a].begin < bars[b].begin; });
  // `alive` holds the bars alive at the start of bar i. Ended bars are removed lazily, once each.
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> alive;
  for (int i : by_begin) {
    const auto has_ended = [&](int j) { return bars[j].end <= bars[i].begin; };
    alive.erase(std::remove_if(alive.begin(), alive.end(), has_ended), alive.end());
    if (static_cast<int64_t>(pairs.size() + alive.size()) > max_pairs) return std::nullopt;
    for (int j : alive) pairs.emplace_back(i, j);
    alive.push_back(i);
  }
  Conflicts conflicts;
  conflicts.begins_.assign(bars.size() + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++conflicts.begins_[a + 1];
    ++conflicts.begins_[b + 1];
  }
  std::partial_sum(conflicts.begins_.begin(), conflicts.begins_.end(), conflicts.begins_.begin());
  conflicts.others_.resize(2 * pairs.size());
  std::vector<size_t> next(conflicts.begins_.begin(), conflicts.begins_.end() - 1);
  for (const auto& [a, b] : pairs) {
    conflicts.others_[next[a]++] = b;
    conflicts.others_[next[b]++] = a;
  }
  return conflicts;
}

}  // namespace lathe::plan
