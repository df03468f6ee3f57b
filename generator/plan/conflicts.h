// Lists, for each bar, the bars that are alive at the same time.
#ifndef LATHE_PLAN_CONFLICTS_H_
#define LATHE_PLAN_CONFLICTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

class Conflicts {
 public:
  // Finds all pairs of `bars` that are alive together. Returns nullopt if they are more than
  // `max_pairs`: their number can grow with the square of the number of bars.
  static std::optional<Conflicts> Find(absl::Span<const Bar> bars, int64_t max_pairs);

  // Returns the indices of the bars that are alive together with the bar number `bar`.
  absl::Span<const int> Of(int bar) const {
    return absl::MakeConstSpan(others_).subspan(begins_[bar], begins_[bar + 1] - begins_[bar]);
  }

 private:
  std::vector<size_t> begins_;  // start of each bar's part of others_, then the end
  std::vector<int> others_;
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CONFLICTS_H_
