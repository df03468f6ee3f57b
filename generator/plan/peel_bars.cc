#include "generator/plan/peel_bars.h"

namespace lathe::plan {

std::vector<int> PeelBars(const Sections& sections, const Conflicts& conflicts, int64_t capacity) {
  const size_t count = sections.bars.size();
  const int64_t unit = sections.unit;
  const int64_t room = capacity / unit * unit;
  std::vector<int64_t> beside(count, 0);  // bytes of conflicting bars that are not peeled
  std::vector<int64_t> others(count, 0);
  for (size_t i = 0; i < count; ++i) {
    for (int j : conflicts.Of(static_cast<int>(i))) beside[i] += sections.bars[j].size;
    others[i] = static_cast<int64_t>(conflicts.Of(static_cast<int>(i)).size());
  }
  // k conflicting bars leave at most k + 1 gaps; one has at least the average of the free bytes.
  const auto is_easy = [&](int i) {
    const int64_t free = room - beside[i];
    const int64_t needed = sections.bars[i].size + sections.bars[i].align - unit;
    return free >= unit && (free - unit) / (others[i] + 1) >= needed - unit;
  };
  std::vector<char> is_peeled(count, 0);
  std::vector<int> peeled;
  const auto look_at = [&](int i) {
    if (is_peeled[i] || !is_easy(i)) return;
    is_peeled[i] = 1;
    peeled.push_back(i);
  };
  for (size_t i = 0; i < count; ++i) look_at(static_cast<int>(i));
  for (size_t k = 0; k < peeled.size(); ++k) {
    // `peeled` grows in this loop, as peeling a bar can make its neighbours removable.
    const int i = peeled[k];
    for (int j : conflicts.Of(i)) {
      beside[j] -= sections.bars[i].size;
      --others[j];
    }
    for (int j : conflicts.Of(i)) look_at(j);
  }
  return peeled;
}

}  // namespace lathe::plan
