// Packs blocks of which some may share bytes while both are alive: the result of a step may lie
// over an input that ends with the step, if the input starts far enough above it
// (overlap_distance.h).
#ifndef LATHE_PLAN_PACK_OVERLAPPING_H_
#define LATHE_PLAN_PACK_OVERLAPPING_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// Block `read` ends in the step in which `written` begins. They may share bytes if `read` starts at
// least `distance` bytes above the start of `written`.
struct BlockOverlap {
  size_t read = 0;
  size_t written = 0;
  int64_t distance = 0;
};

// Returns the lowest of three packings: Pack's, which shares nothing; one of chains of overlaps
// that lower the peak, each packed as one block; and first fit. `lower_bound` holds for every
// choice of overlaps.
Packing PackOverlapping(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps);

// Like CheckPacking, but blocks of an overlap may share bytes at its distance. Independent of
// PackOverlapping.
absl::Status CheckOverlapping(absl::Span<const Block> blocks,
                              absl::Span<const BlockOverlap> overlaps,
                              absl::Span<const int64_t> offsets, int64_t height);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_OVERLAPPING_H_
