// Finds the time axis of each value of a network, and the frames that its operators keep between
// steps.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_PLAN_H_
#define LATHE_TRANSFORM_STREAM_STREAM_PLAN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

struct PlannedCall {
  StreamedCall streamed;
  // The result is computed from a narrower value wherever it is read, so that frames are kept in
  // the narrower type: the int8 activations of a convolution, not their differences in int32.
  std::optional<ir::ValueId> narrower;
};

// A value, and the element of frames before the first one, if it reads them.
using HistoryKey = std::pair<ir::ValueId, std::optional<double>>;

struct StreamPlan {
  TimeAxes times;
  absl::flat_hash_map<ir::ValueId, PlannedCall> calls;  // that read frames, by their results
  std::map<HistoryKey, int64_t> histories;              // frames that are kept between steps
  std::vector<ir::ValueId> from_windows;  // results that are computed from whole windows
};

// Returns the frames of `value` before the new ones that a read of `window` frames needs, `tail`
// frames before the newest.
inline int64_t OlderFrames(const TimeAxis& time, int64_t window, int64_t tail) {
  return window + tail - time.step;
}

// Returns the window of `streamed` in an operand, and the element before it if it is longer than
// the operand.
struct ReadFrames {
  int64_t window = 0;
  int64_t tail = 0;
  std::optional<double> before;
};
ReadFrames FramesRead(const StreamedCall& streamed, const TimeAxis& operand);

// Plans the body of `function`, whose parameters have the time axes `inputs`. Reports all calls
// that cannot be streamed; the plan is then incomplete.
StreamPlan PlanStream(ir::Context& context, ir::Module& module, ir::GlobalId function,
                      const TimeAxes& inputs, bool pads_at_start, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_PLAN_H_
