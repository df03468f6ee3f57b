#include "generator/plan/sections.h"

#include <algorithm>
#include <numeric>

#include "generator/support/align_up.h"

namespace lathe::plan {

Sections BarsOf(absl::Span<const Block> blocks) {
  Sections sections;
  for (const Block& b : blocks) {
    sections.unit = sections.bars.empty() ? b.align : std::gcd(sections.unit, b.align);
    const int64_t length = static_cast<int64_t>(b.last) - b.first + 1;
    sections.bars.push_back({b.size, b.size, b.first, b.last + 1, b.align, length});
  }
  for (Bar& bar : sections.bars) bar.size = AlignUp(bar.size, sections.unit);
  return sections;
}

void Compress(Sections& sections) {
  std::vector<int> starts;
  std::vector<int> ends;
  for (const Bar& bar : sections.bars) {
    starts.push_back(bar.begin);
    ends.push_back(bar.end);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::sort(ends.begin(), ends.end());
  std::vector<int> kept;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int next_end = *std::upper_bound(ends.begin(), ends.end(), starts[i]);
    if (i + 1 == starts.size() || next_end <= starts[i + 1]) kept.push_back(starts[i]);
  }
  const auto number_of = [&kept](int time) {
    return static_cast<int>(std::lower_bound(kept.begin(), kept.end(), time) - kept.begin());
  };
  for (Bar& bar : sections.bars) {
    bar.begin = number_of(bar.begin);
    bar.end = number_of(bar.end);
  }
  sections.count = static_cast<int>(kept.size());
}

std::vector<std::vector<int>> IndependentGroups(absl::Span<const Bar> bars,
                                                std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end(), [bars](int a, int b) {
    return bars[a].begin != bars[b].begin ? bars[a].begin < bars[b].begin : a < b;
  });
  std::vector<std::vector<int>> groups;
  int end = 0;
  for (int i : numbers) {
    if (groups.empty() || bars[i].begin >= end) groups.emplace_back();
    end = groups.back().empty() ? bars[i].end : std::max(end, bars[i].end);
    groups.back().push_back(i);
  }
  return groups;
}

std::vector<int64_t> SectionTotals(const Sections& sections) {
  std::vector<int64_t> totals(sections.count + 1, 0);
  for (const Bar& bar : sections.bars) {
    totals[bar.begin] += bar.size;
    totals[bar.end] -= bar.size;
  }
  std::partial_sum(totals.begin(), totals.end(), totals.begin());
  totals.pop_back();
  return totals;
}

int64_t LowerBound(const Sections& sections) {
  // The topmost bar needs no padding, and any bar may be topmost: at most unit - 1 bytes less.
  int64_t overhang = 0;
  for (const Bar& bar : sections.bars) overhang = std::max(overhang, bar.size - bar.bytes);
  int64_t most = 0;
  for (int64_t total : SectionTotals(sections)) most = std::max(most, total);
  int64_t widest = 0;
  for (const Bar& bar : sections.bars) widest = std::max(widest, bar.bytes);
  return std::max(widest, most - overhang);
}

}  // namespace lathe::plan
