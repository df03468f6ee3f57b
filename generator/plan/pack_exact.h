// A packing below a capacity, or the proof that there is none, as far as the limit lets it.
#ifndef LATHE_PLAN_PACK_EXACT_H_
#define LATHE_PLAN_PACK_EXACT_H_

#include <cstdint>
#include <vector>

#include "generator/plan/canonical_search.h"
#include "generator/plan/conflicts.h"
#include "generator/plan/sections.h"

namespace lathe::plan {

// More bars than that, without those that need no search, are not searched: the search recurses.
constexpr size_t kMaxExactBars = 2000;

// Writes `offsets` only when it finds some. Takes its steps from `steps`.
SearchResult PackExact(const Sections& sections, const Conflicts& conflicts, int64_t capacity,
                       int64_t& steps, std::vector<int64_t>& offsets);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_EXACT_H_
