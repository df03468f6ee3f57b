// The orders in which the packers take bars. No single one is good for all programs.
#ifndef LATHE_PLAN_ORDER_BARS_H_
#define LATHE_PLAN_ORDER_BARS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

enum class Key {
  kSize,         // bytes
  kLength,       // steps alive
  kWidth,        // sections alive
  kArea,         // bytes times steps
  kSectionArea,  // bytes times sections
  kPressure,     // the most bytes alive beside it
  kEarly,        // the first to start
  kLate,         // the last to end
};

// Greatest by the first key, then by the second, then by the third, then the lowest number.
using Ordering = std::array<Key, 3>;

// `totals` of each section is where kPressure looks.
void SortBars(const Sections& sections, absl::Span<const int64_t> totals, const Ordering& ordering,
              std::vector<int>& numbers);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_ORDER_BARS_H_
