// Describes a tensor of a streamed network: a window of frames along one axis that moves with each
// step.
//
//   window, step 0:   f0 f1 f2 f3 f4            length 5, step 2
//   window, step 1:         f2 f3 f4 f5 f6      f5 and f6 are new
#ifndef LATHE_TRANSFORM_STREAM_TIME_AXIS_H_
#define LATHE_TRANSFORM_STREAM_TIME_AXIS_H_

#include <cstdint>

namespace lathe::transform {

// A tensor whose frames move by `step` along `axis`, and of which `length` are computed by the
// network as it was written. `step` is less than `length`: a tensor that is new as a whole in each
// step has no time axis.
struct TimeAxis {
  int axis = 0;
  int64_t length = 0;
  int64_t step = 0;
  bool operator==(const TimeAxis&) const = default;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_TIME_AXIS_H_
