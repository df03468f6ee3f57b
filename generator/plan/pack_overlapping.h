// Packs blocks of which some may share bytes while both are alive: the result of a step may
// overwrite an input whose lifetime ends with the step, if the input starts far enough above it
// (overlap_distance.h).
#ifndef LATHE_PLAN_PACK_OVERLAPPING_H_
#define LATHE_PLAN_PACK_OVERLAPPING_H_

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// Returns the lowest of several packings: Pack's, which shares nothing; two of chains of overlaps
// that lower the peak, each packed as one block; and first fit. `lower_bound` holds for every
// choice of overlaps. The exact searches together have `steps`.
Packing PackOverlapping(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps,
                        int64_t steps = kDefaultPackSteps);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_OVERLAPPING_H_
