// Finds bars that the exact search can leave out.
#ifndef LATHE_PLAN_PEEL_BARS_H_
#define LATHE_PLAN_PEEL_BARS_H_

#include <cstdint>
#include <vector>

#include "generator/plan/conflicts.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// Returns bars that fit below `capacity` however the remaining bars are packed, if they are placed
// in the reverse of the returned order. As in graph colouring by simplification, removing one bar
// can make another one removable. In long programs, few bars remain outside the steps with peak
// memory.
std::vector<int> PeelBars(const Sections& sections, const Conflicts& conflicts, int64_t capacity);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PEEL_BARS_H_
