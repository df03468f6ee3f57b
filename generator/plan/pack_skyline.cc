#include "generator/plan/pack_skyline.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "generator/plan/contained_bars.h"
#include "generator/support/align_up.h"

namespace lathe::plan {
namespace {

// Stores the height reached in each section, as stretches of equal height. Neighbouring stretches
// have different heights.
class Skyline {
 public:
  explicit Skyline(int sections) { Add({0, sections}, 0); }

  struct Valley {
    int begin = 0;
    int end = 0;
    int64_t height = 0;
  };

  Valley Lowest() const {
    const auto [height, begin] = *by_height_.begin();
    return {begin, stretches_.at(begin).end, height};
  }

  // Raises [begin, end), which is within one stretch.
  void Raise(int begin, int end, int64_t height) {
    const auto it = std::prev(stretches_.upper_bound(begin));
    const int from = it->first;
    const Stretch stretch = it->second;
    Drop(it);
    if (from < begin) Add({from, begin}, stretch.height);
    if (end < stretch.end) Add({end, stretch.end}, stretch.height);
    const auto right = stretches_.find(end);
    if (right != stretches_.end() && right->second.height == height) {
      end = right->second.end;
      Drop(right);
    }
    const auto left = stretches_.lower_bound(begin);
    if (left != stretches_.begin() && std::prev(left)->second.height == height) {
      begin = std::prev(left)->first;
      Drop(std::prev(left));
    }
    Add({begin, end}, height);
  }

  // Returns the lower height of the two neighbours of the valley.
  int64_t LowerSide(const Valley& valley) const {
    const auto it = stretches_.find(valley.begin);
    int64_t side = std::numeric_limits<int64_t>::max();
    if (it != stretches_.begin()) side = std::prev(it)->second.height;
    if (std::next(it) != stretches_.end()) side = std::min(side, std::next(it)->second.height);
    return side;
  }

 private:
  struct Stretch {
    int end = 0;
    int64_t height = 0;
  };

  void Add(std::pair<int, int> range, int64_t height) {
    stretches_[range.first] = {range.second, height};
    by_height_.emplace(height, range.first);
  }

  void Drop(std::map<int, Stretch>::const_iterator it) {
    by_height_.erase({it->second.height, it->first});
    stretches_.erase(it);
  }

  std::map<int, Stretch> stretches_;  // by their begin
  std::set<std::pair<int64_t, int>> by_height_;
};

}  // namespace

std::vector<int64_t> PackSkyline(const Sections& sections, absl::Span<const int> order) {
  ContainedBars waiting(sections.bars, order);
  Skyline skyline(sections.count);
  std::vector<int64_t> offsets(sections.bars.size(), -1);
  for (size_t placed = 0; placed < sections.bars.size();) {
    const Skyline::Valley valley = skyline.Lowest();
    const int i = waiting.First(valley.begin, valley.end);
    if (i < 0) {
      skyline.Raise(valley.begin, valley.end, skyline.LowerSide(valley));
      continue;
    }
    const Bar& bar = sections.bars[i];
    offsets[i] = AlignUp(valley.height, bar.align);
    skyline.Raise(bar.begin, bar.end, offsets[i] + bar.size);
    waiting.Remove(i);
    ++placed;
  }
  return offsets;
}

}  // namespace lathe::plan
