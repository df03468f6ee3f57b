// How many queries and keys a block of attention takes at a time.
#ifndef LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_

#include <optional>

#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Larger heads do not fit.
inline constexpr int64_t kLargestHead = 256;

// As many as shared memory and registers hold. `rows` is how many queries there are, where that is
// known.
ir::AttentionShape AttentionShapeFor(bool cores, int64_t depth, int64_t columns,
                                     std::optional<int64_t> rows);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_
