// Finds the step with the most live bytes, and the blocks alive in it.
#ifndef LATHE_PLAN_PEAK_H_
#define LATHE_PLAN_PEAK_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

struct Peak {
  int64_t bytes = 0;        // live bytes: a lower bound of packings
  int step = 0;             // the first step with this number of live bytes
  std::vector<int> owners;  // live blocks that are not empty, largest first
};

// Requires blocks that CheckBlocks accepts. Without blocks the peak is 0 bytes.
Peak FindPeak(absl::Span<const Block> blocks);

// The same with the bytes subtracted that `overlaps` of these blocks can share: a lower bound of
// packings that share them.
Peak FindOverlappingPeak(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps);

// Returns the number of bytes in use in a step. Bytes that two live blocks share at their offsets
// count once.
int64_t BytesInUse(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets, int step);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PEAK_H_
