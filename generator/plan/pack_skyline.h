// Bars put down from below, always in the lowest valley of what lies already.
#ifndef LATHE_PLAN_PACK_SKYLINE_H_
#define LATHE_PLAN_PACK_SKYLINE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// Of the bars that fit into the lowest valley, the first of `order` is put there; where none fits,
// the valley is filled up to its lower side. The result is the offset of each bar.
std::vector<int64_t> PackSkyline(const Sections& sections, absl::Span<const int> order);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_SKYLINE_H_
