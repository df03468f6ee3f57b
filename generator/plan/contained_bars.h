// Finds the most preferred bar that is alive only within a given range of sections.
#ifndef LATHE_PLAN_CONTAINED_BARS_H_
#define LATHE_PLAN_CONTAINED_BARS_H_

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// A query takes O(log^2 n): a segment tree over starts, with a segment tree over ends in each node.
class ContainedBars {
 public:
  // `order` lists every bar once, the most preferred first.
  ContainedBars(absl::Span<const Bar> bars, absl::Span<const int> order);

  // Returns the first bar in the order that is alive only within [begin, end), or -1.
  int First(int begin, int end) const;

  void Remove(int bar);

 private:
  struct Node {
    std::vector<std::pair<int, int>> ends;  // with ranks, sorted
    std::vector<int> ranks;  // a tree of minima over `ends`; the second half are the leaves
  };

  static int FirstRank(const Node& node, int end);

  absl::Span<const Bar> bars_;
  absl::Span<const int> order_;
  std::vector<int> rank_;      // of each bar
  std::vector<int> begins_;    // begins of the bars, sorted
  std::vector<int> position_;  // index of each bar in begins_
  std::vector<Node> nodes_;    // children of node k are 2k and 2k + 1; the second half are leaves
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CONTAINED_BARS_H_
