// One depth-first search for a packing below a capacity. The idea of canonical packings is
// published with MiniMalloc (Moffitt, ASPLOS 2023).
//
// A packing can be pushed down until every bar lies at 0 or on another one. So bars are placed in
// the order of their offsets, each at the lowest offset that those below leave it, and nothing is
// lost.
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
  // Among bars that could be placed at the same offset, `ordering` says which is tried first. Gives
  // up after `nodes` placed bars or when `steps` are used up, from which it takes what it used.
  // Recurses once for each bar.
  CanonicalSearch(const Sections& sections, int64_t capacity, const Ordering& ordering,
                  int64_t nodes, int64_t& steps);

  SearchResult Run();

  // What was found.
  const std::vector<int64_t>& offsets() const { return offsets_; }

 private:
  struct Mark {
    size_t raised;
    size_t placed;
  };
  // Bars to place by their lowest offsets, and where the last one was placed: what follows lies
  // higher, or as high with a later rank.
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
  Mark Here() const { return {raised_.size(), placed_.size()}; }
  void BackTo(Mark mark);

  const Sections& sections_;
  const int64_t capacity_;
  const int64_t padded_capacity_;  // a sum of padded sizes may reach into the last one's padding
  const Ordering& ordering_;
  int64_t nodes_;
  int64_t& steps_;
  std::vector<int64_t> lowest_;   // where each bar could be placed now
  std::vector<int64_t> offsets_;  // -1 until placed
  std::vector<int> rank_;
  std::vector<int64_t> totals_;                  // of what is not placed, for each section
  std::vector<std::pair<int, int64_t>> raised_;  // bars and what lowest_ was, to take back
  std::vector<int> placed_;
  std::vector<char> is_open_;  // sections whose floor is still looked for
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CANONICAL_SEARCH_H_
