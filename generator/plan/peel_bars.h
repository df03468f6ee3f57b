// What the exact search need not look at.
#ifndef LATHE_PLAN_PEEL_BARS_H_
#define LATHE_PLAN_PEEL_BARS_H_

#include <cstdint>
#include <vector>

#include "generator/plan/conflicts.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// Bars that find a gap below `capacity` however those that are not peeled are packed, when they are
// placed in the reverse of this order. Like the easy nodes when a graph is coloured: leaving one
// out may make another one easy. In a long program little is left beside the steps where memory is
// full.
std::vector<int> PeelBars(const Sections& sections, const Conflicts& conflicts, int64_t capacity);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PEEL_BARS_H_
