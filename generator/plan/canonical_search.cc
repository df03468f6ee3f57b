#include "generator/plan/canonical_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "generator/support/align_up.h"

namespace lathe::plan {

CanonicalSearch::CanonicalSearch(const Sections& sections, int64_t capacity,
                                 const Ordering& ordering, int64_t nodes, int64_t& steps)
    : sections_(sections),
      capacity_(capacity),
      padded_capacity_(AlignUp(capacity, sections.unit)),
      ordering_(ordering),
      nodes_(nodes),
      steps_(steps),
      lowest_(sections.bars.size(), 0),
      offsets_(sections.bars.size(), -1),
      rank_(sections.bars.size(), 0),
      totals_(SectionTotals(sections)),
      is_open_(sections.count, 0) {}

SearchResult CanonicalSearch::Run() {
  std::vector<int> all(sections_.bars.size());
  std::iota(all.begin(), all.end(), 0);
  return SolveGroups(std::move(all), 0);
}

// Groups that share no section are independent problems. If one has no packing, the whole has none,
// so the group with the least slack is solved first.
SearchResult CanonicalSearch::SolveGroups(std::vector<int> bars, int64_t offset) {
  std::vector<std::vector<int>> groups = IndependentGroups(sections_.bars, std::move(bars));
  std::vector<std::pair<int64_t, size_t>> by_slack;
  for (size_t k = 0; k < groups.size(); ++k) {
    steps_ -= static_cast<int64_t>(groups[k].size());
    SortByLowest(groups[k]);
    by_slack.emplace_back(Slack(groups[k], offset), k);
  }
  std::sort(by_slack.begin(), by_slack.end());
  const Checkpoint checkpoint = Save();
  for (const auto& [slack, k] : by_slack) {
    const SearchResult result = SolveGroup(groups[k], offset);
    if (result != SearchResult::kFound) {
      Restore(checkpoint);
      return result;
    }
  }
  return SearchResult::kFound;
}

// Recomputes the ranks of the bars in a group, because placed bars have changed the pressure.
SearchResult CanonicalSearch::SolveGroup(const std::vector<int>& bars, int64_t offset) {
  steps_ -= sections_.count + static_cast<int64_t>(bars.size());
  std::vector<int> ranks_before;
  for (int i : bars) ranks_before.push_back(rank_[i]);
  std::vector<int> ranked = bars;
  SortBars(sections_, totals_, ordering_, ranked);
  for (size_t k = 0; k < ranked.size(); ++k) rank_[ranked[k]] = static_cast<int>(k);
  const SearchResult result = Descend({bars, offset, -1});
  if (result != SearchResult::kFound) {
    for (size_t k = 0; k < bars.size(); ++k) rank_[bars[k]] = ranks_before[k];
  }
  return result;
}

SearchResult CanonicalSearch::Descend(const Node& node) {
  if (node.bars.empty()) return SearchResult::kFound;
  if (nodes_ <= 0 || steps_ <= 0) return SearchResult::kOutOfSteps;
  --nodes_;
  const int64_t highest_start = HighestStart(node.bars);
  const std::vector<int> choices = Choices(node);
  Node next;
  for (size_t k = 0; k < choices.size(); ++k) {
    const int i = choices[k];
    if (lowest_[i] > highest_start) break;
    if (IsTwin(choices, k)) continue;
    const Checkpoint checkpoint = Save();
    bool is_below_others = false;
    if (Place(node, i, next, is_below_others)) {
      const SearchResult result = Separates(sections_.bars[i], next.bars)
                                      ? SolveGroups(next.bars, next.offset)
                                      : Descend(next);
      if (result != SearchResult::kImpossible) return result;
    }
    Restore(checkpoint);
    // The bar constrains no other bar, so the search would fail without it too.
    if (!is_below_others) break;
  }
  return SearchResult::kImpossible;
}

// Skips bars that would start at or above the end of another candidate: that candidate would fit
// below, so the packing would not be canonical.
std::vector<int> CanonicalSearch::Choices(const Node& node) const {
  int64_t first_top = std::numeric_limits<int64_t>::max();
  for (int i : node.bars) {
    if (lowest_[i] >= first_top) break;
    first_top = std::min(first_top, lowest_[i] + sections_.bars[i].size);
  }
  std::vector<int> choices;
  for (int i : node.bars) {
    if (lowest_[i] >= first_top) break;
    if (std::pair(lowest_[i], rank_[i]) > std::pair(node.offset, node.rank)) choices.push_back(i);
  }
  std::sort(choices.begin(), choices.end(), [this](int a, int b) {
    return std::pair(lowest_[a], rank_[a]) < std::pair(lowest_[b], rank_[b]);
  });
  steps_ -= static_cast<int64_t>(choices.size()) + 1;
  return choices;
}

// Returns true if an equal bar was tried before at this node, and failed.
bool CanonicalSearch::IsTwin(absl::Span<const int> choices, size_t at) const {
  const Bar& bar = sections_.bars[choices[at]];
  for (size_t k = 0; k < at; ++k) {
    const Bar& other = sections_.bars[choices[k]];
    if (other.begin == bar.begin && other.end == bar.end && other.bytes == bar.bytes &&
        other.align == bar.align) {
      return true;
    }
  }
  return false;
}

// Places `bar` and fills `next` with the remaining bars. Returns false if these cannot fit below
// the capacity.
bool CanonicalSearch::Place(const Node& node, int bar, Node& next, bool& is_below_others) {
  const Bar& placed = sections_.bars[bar];
  next.offset = lowest_[bar];
  next.rank = rank_[bar];
  next.bars.clear();
  offsets_[bar] = next.offset;
  placed_.push_back(bar);
  for (int t = placed.begin; t < placed.end; ++t) totals_[t] -= placed.size;
  steps_ -= static_cast<int64_t>(node.bars.size()) / 4 + 1;

  bool fits = next.offset + placed.bytes <= capacity_;
  const int64_t top = next.offset + placed.size;
  std::vector<int> pushed;
  int begin = std::numeric_limits<int>::max();
  int end = 0;
  for (int j : node.bars) {
    if (j == bar) continue;
    const Bar& other = sections_.bars[j];
    if (AliveTogether(placed, other)) {
      is_below_others = true;
      const int64_t lowest = AlignUp(top, other.align);
      if (lowest_[j] < lowest) {
        raised_.emplace_back(j, lowest_[j]);
        lowest_[j] = lowest;
        if (lowest + other.bytes > capacity_) fits = false;
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
        pushed.push_back(j);
        continue;
      }
    }
    next.bars.push_back(j);
  }
  if (!fits) return false;
  SortByLowest(pushed);
  const auto middle = static_cast<std::ptrdiff_t>(next.bars.size());
  next.bars.insert(next.bars.end(), pushed.begin(), pushed.end());
  std::inplace_merge(next.bars.begin(), next.bars.begin() + middle, next.bars.end(),
                     [this](int a, int b) { return lowest_[a] < lowest_[b]; });
  return !IsStuck(next) && FitsAbove(next, begin, end);
}

// Returns true if a remaining bar is at or below the current position in the search order and no
// other bar can raise it.
bool CanonicalSearch::IsStuck(const Node& next) const {
  for (int j : next.bars) {
    if (std::pair(lowest_[j], rank_[j]) > std::pair(next.offset, next.rank)) {
      if (lowest_[j] > next.offset) break;
      continue;
    }
    bool has_neighbour = false;
    for (int k : next.bars) {
      --steps_;
      has_neighbour = k != j && AliveTogether(sections_.bars[j], sections_.bars[k]);
      if (has_neighbour) break;
    }
    if (!has_neighbour) return true;
  }
  return false;
}

// Returns false if in a section of [begin, end) the remaining bars, stacked on the lowest of them,
// exceed the capacity. Bars are sorted by lowest offset, so the first one in a section is its
// floor.
bool CanonicalSearch::FitsAbove(const Node& next, int begin, int end) {
  int open = 0;
  for (int t = begin; t < end; ++t) {
    is_open_[t] = totals_[t] > 0;
    open += is_open_[t];
  }
  for (int j : next.bars) {
    if (open == 0) break;
    const int64_t room = padded_capacity_ - std::max(next.offset, lowest_[j]);
    const int to = std::min(end, sections_.bars[j].end);
    int t = std::max(begin, sections_.bars[j].begin);
    if (t < to) steps_ -= (to - t) / 8 + 1;
    for (; t < to; ++t) {
      if (!is_open_[t]) continue;
      is_open_[t] = 0;
      --open;
      if (totals_[t] > room) return false;
    }
  }
  return true;
}

// Returns true if, without `placed`, the bars `left` are independent groups.
bool CanonicalSearch::Separates(const Bar& placed, absl::Span<const int> left) const {
  if (placed.end - placed.begin < 2 || left.empty()) return false;
  std::vector<int> crossing(placed.end - placed.begin + 1, 0);  // each inner border
  for (int j : left) {
    const int from = std::max(sections_.bars[j].begin, placed.begin) + 1;
    const int to = std::min(sections_.bars[j].end, placed.end);
    if (from >= to) continue;
    ++crossing[from - placed.begin];
    --crossing[to - placed.begin];
  }
  int now = 0;
  for (int t = 1; t < placed.end - placed.begin; ++t) {
    now += crossing[t];
    if (now == 0) return true;
  }
  return false;
}

// Returns the highest offset at which the fullest section still has room for its remaining bars.
int64_t CanonicalSearch::HighestStart(absl::Span<const int> bars) const {
  int begin = std::numeric_limits<int>::max();
  int end = 0;
  for (int i : bars) {
    begin = std::min(begin, sections_.bars[i].begin);
    end = std::max(end, sections_.bars[i].end);
  }
  steps_ -= static_cast<int64_t>(bars.size() + (end - begin)) / 8 + 1;
  const int64_t most = *std::max_element(totals_.begin() + begin, totals_.begin() + end);
  return padded_capacity_ - most;
}

// Returns the bytes that the fullest section of the group leaves free. `bars` are sorted by lowest
// offset.
int64_t CanonicalSearch::Slack(const std::vector<int>& bars, int64_t offset) const {
  const int64_t floor = std::max(offset, lowest_[bars.front()]);
  return HighestStart(bars) - floor;
}

void CanonicalSearch::SortByLowest(std::vector<int>& bars) const {
  std::sort(bars.begin(), bars.end(), [this](int a, int b) {
    return lowest_[a] != lowest_[b] ? lowest_[a] < lowest_[b] : a < b;
  });
}

void CanonicalSearch::Restore(Checkpoint checkpoint) {
  for (; raised_.size() > checkpoint.raised; raised_.pop_back()) {
    lowest_[raised_.back().first] = raised_.back().second;
  }
  for (; placed_.size() > checkpoint.placed; placed_.pop_back()) {
    const Bar& bar = sections_.bars[placed_.back()];
    offsets_[placed_.back()] = -1;
    for (int t = bar.begin; t < bar.end; ++t) totals_[t] += bar.size;
  }
}

}  // namespace lathe::plan
