// Matches attention scores that are a constant multiple of the product of query and key.
#ifndef LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_
#define LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_

#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Returns the positive constant that the score multiplies its float32 sum of products by. Returns
// null if the score is anything else, also if it is the sum itself.
ir::PrimRef ScaleOf(const ir::Attention& attention);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_
