// Places blocks one after the other at the lowest offset where none of their bytes is in use, with
// the bytes that overlaps may share.
#ifndef LATHE_PLAN_FIRST_FIT_OVERLAPPING_H_
#define LATHE_PLAN_FIRST_FIT_OVERLAPPING_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// Returns the offsets of the lowest packing found. Begins with three orders: by size, by first
// step, and by last. Moves the topmost block of an order to the front and packs again, until it is
// there already or the tries are used up: 100, and fewer for many blocks.
// Nothing if too many pairs of blocks are alive together.
std::vector<int64_t> FirstFitOverlapping(absl::Span<const Block> blocks,
                                         absl::Span<const BlockOverlap> overlaps);

// Returns the end of the topmost block.
int64_t HeightOf(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_FIRST_FIT_OVERLAPPING_H_
