// Defines the rules by which the operators of a streamed network compute new frames.
//
// A rule says which frames of its operands an operator reads to compute the new frames of its
// result. The operands are counted from the newest frame, so that operands of different lengths
// agree about the present:
//
//   y = conv1d(x, kernel of 3), 1 new frame      window 3, tail 0
//   y = x[:, 2:-1, :], 1 new frame               window 1, tail 1
//
// An operator that reads all frames, such as the mean over time, is computed from the whole window
// in each step. Its result has no time axis.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_RULE_H_
#define LATHE_TRANSFORM_STREAM_STREAM_RULE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/stream/time_axis.h"

namespace lathe::transform {

// Returns the sizes of a tensor if all are constant.
std::optional<std::vector<int64_t>> StaticDims(ir::StructInfoRef info);

using TimeAxes = absl::flat_hash_map<ir::ValueId, TimeAxis>;

// A call with at least one operand that has a time axis.
struct RuleCall {
  ir::Context& context;
  ir::Module& module;  // rules may add functions and constants
  ir::Call call;
  ir::StructInfoRef result;  // for the whole window
  const TimeAxes& times;
  bool pads_at_start = false;  // --stream-padding start

  // Returns the time axis of a variable, or null.
  const TimeAxis* TimeOf(const ir::Operand& operand) const;
  // Returns the time axis of argument `index`, or null.
  const TimeAxis* TimeOfArg(size_t index) const;
  // Returns the constant sizes of a tensor, for the whole window; nothing for other values.
  std::optional<std::vector<int64_t>> DimsOf(const ir::Operand& operand) const;
  std::vector<int64_t> ResultDims() const;
};

// Reads all frames of the operands.
inline constexpr int64_t kAllFrames = -1;

struct StreamedCall {
  int64_t window = kAllFrames;  // frames of each operand with a time axis that the call reads
  int64_t tail = 0;             // newer frames that it does not read
  // The element of the frames before the first one of a sequence, if the window is longer than the
  // operand.
  std::optional<double> before;
  // Of the result, or of the fields of a tuple; nothing: it is new as a whole.
  std::optional<TimeAxis> time;
  bool first_field = false;  // only the first field of a tuple has a time axis
  int64_t frames = 0;        // of the result that the call computes
  // Frame k of the result needs only frame k of the operands, and there are as many.
  bool each_frame = false;
  // Returns the call for this many frames of the result. `frames` is the usual number; rules with
  // each_frame take any.
  std::function<ir::Call(int64_t)> make;
  // The call for the whole window with its padding at the start; nothing if it does not pad.
  std::optional<ir::Call> at_start;
};

// A rule fails with the reason why the operator cannot be streamed: a text that follows its name.
using StreamRule = absl::StatusOr<StreamedCall> (*)(const RuleCall&);

// Returns whether the first argument has a time axis, and no other one.
bool OnlyFirstMoves(const RuleCall& c);

// A call that computes each frame of its result from that of its operands, without changes.
StreamedCall EachFrame(const RuleCall& c, const TimeAxis& time);
// A call that reads all frames.
StreamedCall WholeWindow(const RuleCall& c);

// A window that slides along time.
struct Sliding {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad = 0;  // frames before and after together
  int out_axis = 0;
  int64_t out_length = 0;
  double before = 0;  // the element of the padding
  // The call without padding along time, for this many frames.
  std::function<ir::Call(int64_t)> make;
  std::optional<ir::Call> at_start;
};
absl::StatusOr<StreamedCall> Slide(const RuleCall& c, const TimeAxis& in, Sliding sliding);

ir::AttrValue IntList(const std::vector<int64_t>& numbers);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_RULE_H_
