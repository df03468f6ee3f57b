// Sorts bars for the packers. They try several orders, because no single one is good for all
// programs.
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
  kPressure,     // largest number of bytes live during its life
  kEarly,        // earliest start
  kLate,         // latest end
};

// Sorts in descending order by the first key, then the second, then the third; ties by ascending
// number.
using Ordering = std::array<Key, 3>;

// Sorts `numbers`, which are indices of bars. `totals` are the live bytes of each section, which
// kPressure uses.
void SortBars(const Sections& sections, absl::Span<const int64_t> totals, const Ordering& ordering,
              std::vector<int>& numbers);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_ORDER_BARS_H_
