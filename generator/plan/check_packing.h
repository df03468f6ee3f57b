// Whether a packing is one. Knows nothing of how packings are made.
#ifndef LATHE_PLAN_CHECK_PACKING_H_
#define LATHE_PLAN_CHECK_PACKING_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// An error names the block, or the two blocks, and the bytes: an offset that is negative, not
// aligned or too high for `height`, or two blocks that share a byte while both are alive.
absl::Status CheckPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                          int64_t height);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CHECK_PACKING_H_
