// Finds a packing of at most `capacity` bytes or proves that there is none, within a work limit.
#ifndef LATHE_PLAN_PACK_EXACT_H_
#define LATHE_PLAN_PACK_EXACT_H_

#include <cstdint>
#include <vector>

#include "generator/plan/canonical_search.h"
#include "generator/plan/conflicts.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// The search recurses once for each bar that PeelBars leaves. With more bars, PackExact returns
// kOutOfSteps.
constexpr size_t kMaxExactBars = 2000;

// Writes `offsets` only if it finds a packing. Subtracts its work from `steps`.
SearchResult PackExact(const Sections& sections, const Conflicts& conflicts, int64_t capacity,
                       int64_t& steps, std::vector<int64_t>& offsets);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_EXACT_H_
