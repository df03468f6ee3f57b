// Places bars one after another, each in the lowest (first fit) or smallest (best fit) gap that is
// free for its whole lifetime.
#ifndef LATHE_PLAN_PACK_FIRST_FIT_H_
#define LATHE_PLAN_PACK_FIRST_FIT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/conflicts.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

enum class Gap { kLowest, kSmallest };

// Places the bars of `order`, in that order, and writes their offsets into `offsets`. Bars placed
// before have an offset there; all others have -1.
void PackFirstFit(const Sections& sections, const Conflicts& conflicts, absl::Span<const int> order,
                  Gap gap, std::vector<int64_t>& offsets);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_FIRST_FIT_H_
