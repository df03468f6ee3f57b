// Checks that a packing is valid. Shares no code with the packers, so that it verifies their
// results.
#ifndef LATHE_PLAN_CHECK_PACKING_H_
#define LATHE_PLAN_CHECK_PACKING_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// Fails for an offset that is negative, misaligned or too high for `height`, and for two blocks
// that share a byte while both are alive. The error names the blocks and the bytes.
absl::Status CheckPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                          int64_t height);

// Checks a packing in which the blocks of an overlap may share bytes at its distance.
absl::Status CheckOverlapping(absl::Span<const Block> blocks,
                              absl::Span<const BlockOverlap> overlaps,
                              absl::Span<const int64_t> offsets, int64_t height);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CHECK_PACKING_H_
