// When most bytes are alive, and whose they are.
#ifndef LATHE_PLAN_PEAK_H_
#define LATHE_PLAN_PEAK_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

struct Peak {
  int64_t bytes = 0;        // no packing is lower
  int step = 0;             // the first with so many
  std::vector<int> owners;  // the blocks alive then, largest first; empty ones are not named
};

// For blocks that CheckBlocks accepts; of no blocks the peak is 0 bytes.
Peak FindPeak(absl::Span<const Block> blocks);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PEAK_H_
