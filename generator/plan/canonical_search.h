// Searches depth-first for a packing within a capacity. Canonical packings are described with
// MiniMalloc (Moffitt, ASPLOS 2023).
//
// Every packing can be pushed down until each bar is at offset 0 or on top of another bar. The
// search therefore places bars in the order of their offsets, each at the lowest offset that the
// bars below allow, without losing solutions.
#ifndef LATHE_PLAN_CANONICAL_SEARCH_H_
#define LATHE_PLAN_CANONICAL_SEARCH_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/order_bars.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

enum class SearchResult { kFound, kImpossible, kOutOfSteps };

class CanonicalSearch {
 public:
  // Tries bars that could be placed at the same offset in the order `ordering`. Gives up after
  // `nodes` placed bars or when `steps` is used up. Subtracts its work from `steps`. Recurses once
  // for each bar.
  CanonicalSearch(const Sections& sections, int64_t capacity, const Ordering& ordering,
                  int64_t nodes, int64_t& steps);

  SearchResult Run();

  // Returns the packing, after Run() returned kFound.
  const std::vector<int64_t>& offsets() const { return offsets_; }

 private:
  struct Checkpoint {
    size_t raised;
    size_t placed;
  };
  // The bars to place, sorted by their lowest offsets, and the offset and rank of the last placed
  // bar. Later bars have a higher offset, or the same offset and a later rank.
  struct Node {
    std::vector<int> bars;
    int64_t offset = 0;
    int rank = -1;
  };

  SearchResult SolveGroups(std::vector<int> bars, int64_t offset);
  SearchResult SolveGroup(const std::vector<int>& bars, int64_t offset);
  SearchResult Descend(const Node& node);
  std::vector<int> Choices(const Node& node) const;
  bool IsTwin(absl::Span<const int> choices, size_t at) const;
  bool Place(const Node& node, int bar, Node& next, bool& is_below_others);
  bool IsStuck(const Node& next) const;
  bool FitsAbove(const Node& next, int begin, int end);
  bool Separates(const Bar& placed, absl::Span<const int> left) const;
  int64_t HighestStart(absl::Span<const int> bars) const;
  int64_t Slack(const std::vector<int>& bars, int64_t offset) const;
  void SortByLowest(std::vector<int>& bars) const;
  Checkpoint Save() const { return {raised_.size(), placed_.size()}; }
  void Restore(Checkpoint checkpoint);

  const Sections& sections_;
  const int64_t capacity_;
  const int64_t padded_capacity_;  // a sum of padded sizes may reach into the last one's padding
  const Ordering& ordering_;
  int64_t nodes_;
  int64_t& steps_;
  std::vector<int64_t> lowest_;   // where each bar could be placed now
  std::vector<int64_t> offsets_;  // -1 until placed
  std::vector<int> rank_;
  std::vector<int64_t> totals_;                  // sizes of unplaced bars, for each section
  std::vector<std::pair<int, int64_t>> raised_;  // bars with their previous lowest_, for Restore
  std::vector<int> placed_;
  std::vector<char> is_open_;  // sections whose lowest bar is not yet found (FitsAbove)
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CANONICAL_SEARCH_H_
