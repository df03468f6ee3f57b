#include "generator/plan/pack_first_fit.h"

#include <algorithm>
#include <utility>

#include "generator/support/align_up.h"

namespace lathe::plan {

void PackFirstFit(const Sections& sections, const Conflicts& conflicts, absl::Span<const int> order,
                  Gap gap, std::vector<int64_t>& offsets) {
  std::vector<std::pair<int64_t, int64_t>> taken;  // byte ranges of conflicting placed bars
  for (int i : order) {
    const Bar& bar = sections.bars[i];
    taken.clear();
    for (int j : conflicts.Of(i)) {
      if (offsets[j] >= 0) taken.emplace_back(offsets[j], offsets[j] + sections.bars[j].size);
    }
    std::sort(taken.begin(), taken.end());
    int64_t free_from = 0;
    int64_t found = -1;
    int64_t found_waste = 0;
    for (const auto& [from, to] : taken) {
      const int64_t waste = from - free_from - bar.size;
      if (waste >= 0 && (found < 0 || waste < found_waste)) {
        found = free_from;
        found_waste = waste;
        if (gap == Gap::kLowest) break;
      }
      free_from = std::max(free_from, AlignUp(to, bar.align));
    }
    offsets[i] = found >= 0 ? found : free_from;
  }
}

}  // namespace lathe::plan
