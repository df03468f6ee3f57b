// Chooses how many queries and keys a block of an attention kernel processes at a time.
#ifndef LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_
#define LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_

#include <optional>

#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// The largest supported head size.
inline constexpr int64_t kLargestHead = 256;

// Returns the largest shape that shared memory and registers hold, or a smaller one if half of its
// rows would stay empty. `cores`: tensor cores compute the products. `depth` is the length of a
// query and a key, `columns` the length of a value. `rows` is the number of queries if it is known.
ir::AttentionShape AttentionShapeFor(bool cores, int64_t depth, int64_t columns,
                                     std::optional<int64_t> rows);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ATTENTION_SHAPE_H_
