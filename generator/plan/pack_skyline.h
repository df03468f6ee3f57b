// Packs bars bottom-up, always into the lowest valley of the skyline of placed bars.
#ifndef LATHE_PLAN_PACK_SKYLINE_H_
#define LATHE_PLAN_PACK_SKYLINE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// Places the first bar of `order` that fits into the lowest valley. If none fits, raises the valley
// to its lower side. Returns the offset of each bar.
std::vector<int64_t> PackSkyline(const Sections& sections, absl::Span<const int> order);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_SKYLINE_H_
