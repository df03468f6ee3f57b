#include "generator/plan/contained_bars.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace lathe::plan {
namespace {
constexpr int kNone = std::numeric_limits<int>::max();
}  // namespace

ContainedBars::ContainedBars(absl::Span<const Bar> bars, absl::Span<const int> order)
    : bars_(bars), order_(order), rank_(bars.size()), position_(bars.size()) {
  const size_t count = bars.size();
  for (size_t k = 0; k < count; ++k) rank_[order[k]] = static_cast<int>(k);
  std::vector<int> by_begin(count);
  std::iota(by_begin.begin(), by_begin.end(), 0);
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [bars](int a, int b) { return bars[a].begin < bars[b].begin; });
  std::vector<std::vector<int>> members(2 * count);  // of each node, by end
  for (size_t k = 0; k < count; ++k) {
    begins_.push_back(bars[by_begin[k]].begin);
    position_[by_begin[k]] = static_cast<int>(k);
    members[count + k] = {by_begin[k]};
  }
  const auto ends_before = [bars, this](int a, int b) {
    return bars[a].end != bars[b].end ? bars[a].end < bars[b].end : rank_[a] < rank_[b];
  };
  nodes_.resize(2 * count);
  for (size_t k = 2 * count; k-- > 1;) {
    if (k < count) {
      std::merge(members[2 * k].begin(), members[2 * k].end(), members[2 * k + 1].begin(),
                 members[2 * k + 1].end(), std::back_inserter(members[k]), ends_before);
    }
    Node& node = nodes_[k];
    const size_t size = members[k].size();
    node.ranks.resize(2 * size);
    for (size_t m = 0; m < size; ++m) {
      node.ends.emplace_back(bars[members[k][m]].end, rank_[members[k][m]]);
      node.ranks[size + m] = rank_[members[k][m]];
    }
    for (size_t m = size; m-- > 1;) {
      node.ranks[m] = std::min(node.ranks[2 * m], node.ranks[2 * m + 1]);
    }
  }
}

int ContainedBars::FirstRank(const Node& node, int end) {
  const size_t size = node.ends.size();
  const std::pair<int, int> last = {end, kNone};
  size_t to = std::upper_bound(node.ends.begin(), node.ends.end(), last) - node.ends.begin() + size;
  int best = kNone;
  for (size_t from = size; from < to; from /= 2, to /= 2) {
    if (from % 2 == 1) best = std::min(best, node.ranks[from++]);
    if (to % 2 == 1) best = std::min(best, node.ranks[--to]);
  }
  return best;
}

int ContainedBars::First(int begin, int end) const {
  const size_t count = begins_.size();
  size_t from = std::lower_bound(begins_.begin(), begins_.end(), begin) - begins_.begin() + count;
  size_t to = std::lower_bound(begins_.begin(), begins_.end(), end) - begins_.begin() + count;
  int best = kNone;
  for (; from < to; from /= 2, to /= 2) {
    if (from % 2 == 1) best = std::min(best, FirstRank(nodes_[from++], end));
    if (to % 2 == 1) best = std::min(best, FirstRank(nodes_[--to], end));
  }
  return best == kNone ? -1 : order_[best];
}

void ContainedBars::Remove(int bar) {
  const std::pair<int, int> key = {bars_[bar].end, rank_[bar]};
  for (size_t k = position_[bar] + begins_.size(); k >= 1; k /= 2) {
    Node& node = nodes_[k];
    const size_t size = node.ends.size();
    size_t m = std::lower_bound(node.ends.begin(), node.ends.end(), key) - node.ends.begin() + size;
    node.ranks[m] = kNone;
    for (m /= 2; m >= 1; m /= 2) node.ranks[m] = std::min(node.ranks[2 * m], node.ranks[2 * m + 1]);
  }
}

}  // namespace lathe::plan
