// Who is alive together with whom.
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
  // Nothing when there are more than `max_pairs` of them: there may be as many as the square of the
  // bars, and nothing quick is done with so many.
  static std::optional<Conflicts> Find(absl::Span<const Bar> bars, int64_t max_pairs);

  absl::Span<const int> Of(int bar) const {
    return absl::MakeConstSpan(others_).subspan(begins_[bar], begins_[bar + 1] - begins_[bar]);
  }

 private:
  std::vector<size_t> begins_;  // of each bar's part of others_, and the end
  std::vector<int> others_;
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CONFLICTS_H_
