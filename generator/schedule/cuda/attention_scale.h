// Whether the scores of an attention are its products but for a number.
#ifndef LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_
#define LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_

#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// The number above 0 that a score is times the sum of products; null where it is more than that.
ir::PrimRef ScaleOf(const ir::Attention& attention);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ATTENTION_SCALE_H_
