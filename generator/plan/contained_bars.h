// Bars in an order of preference, asked for the first one that lies within a stretch of sections.
#ifndef LATHE_PLAN_CONTAINED_BARS_H_
#define LATHE_PLAN_CONTAINED_BARS_H_

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// Each question costs the square of a logarithm: a tree over starts, in each node a tree over ends.
class ContainedBars {
 public:
  // `order` has every bar once.
  ContainedBars(absl::Span<const Bar> bars, absl::Span<const int> order);

  // The first in the order that is alive only within [begin, end), or -1.
  int First(int begin, int end) const;

  void Remove(int bar);

 private:
  struct Node {
    std::vector<std::pair<int, int>> ends;  // with ranks, sorted
    std::vector<int> ranks;  // a tree of minima over the same bars; its leaves are its second half
  };

  static int FirstRank(const Node& node, int end);

  absl::Span<const Bar> bars_;
  absl::Span<const int> order_;
  std::vector<int> rank_;      // of each bar
  std::vector<int> begins_;    // of the bars, sorted
  std::vector<int> position_;  // of each bar among begins_
  std::vector<Node> nodes_;    // node k is over nodes 2k and 2k + 1; leaves are the second half
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CONTAINED_BARS_H_
