#include "generator/transform/stream/stream_reductions.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {
namespace {

// Returns the axes in `axis`, `axes` or both, from the front, or nullopt without them, which
// stands for all axes.
std::optional<std::vector<int>> AxesOf(const RuleCall& c, int ndim) {
  for (const char* name : {"axis", "axes"}) {
    if (const auto several = ops::FindInts(c.call, name)) {
      std::vector<int> axes;
      for (int64_t axis : *several) axes.push_back(ops::FromFront(axis, ndim));
      return axes;
    }
    if (const auto single = ops::FindInt(c.call, name)) {
      return std::vector<int>{ops::FromFront(*single, ndim)};
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<StreamedCall> StreamAllFrames(const RuleCall& c) { return WholeWindow(c); }

absl::StatusOr<StreamedCall> StreamAlongAxes(const RuleCall& c) {
  const TimeAxis* time = c.TimeOfArg(0);
  if (!OnlyFirstMoves(c)) {
    return absl::InvalidArgumentError("has parameters that move along time; supported: constants");
  }
  const int ndim = static_cast<int>(c.DimsOf(c.call.args[0])->size());
  const auto axes = AxesOf(c, ndim);
  if (!axes || absl::c_linear_search(*axes, time->axis)) return WholeWindow(c);
  const auto channels = ops::FindInt(c.call, "channel_axis");
  if (channels && ops::FromFront(*channels, ndim) == time->axis) {
    return absl::InvalidArgumentError("has parameters for each frame");
  }
  return EachFrame(c, *time);
}

absl::StatusOr<StreamedCall> StreamReduction(const RuleCall& c) {
  const TimeAxis* time = c.TimeOfArg(0);
  const int ndim = static_cast<int>(c.DimsOf(c.call.args[0])->size());
  const auto axes = AxesOf(c, ndim);
  if (!axes || absl::c_linear_search(*axes, time->axis)) return WholeWindow(c);
  TimeAxis out = *time;
  if (!ops::FindBool(c.call, "keepdims")) {
    out.axis -= static_cast<int>(
        std::count_if(axes->begin(), axes->end(), [&](int axis) { return axis < time->axis; }));
  }
  return EachFrame(c, out);
}

absl::StatusOr<StreamedCall> StreamBatchNorm(const RuleCall& c) {
  const TimeAxis* time = c.TimeOfArg(0);
  if (!OnlyFirstMoves(c)) {
    return absl::InvalidArgumentError("has parameters that move along time; supported: constants");
  }
  const int ndim = static_cast<int>(c.DimsOf(c.call.args[0])->size());
  if (ops::FindBool(c.call, "training")) {
    return absl::InvalidArgumentError(
        "computes the mean of the window in training; supported: training=False");
  }
  if (ops::FromFront(ops::IntAttr(c.call, "axis"), ndim) == time->axis) {
    return absl::InvalidArgumentError("has parameters for each frame");
  }
  StreamedCall streamed = EachFrame(c, *time);
  streamed.first_field = true;
  return streamed;
}

absl::StatusOr<StreamedCall> StreamMatmul(const RuleCall& c) {
  const TimeAxis* left = c.TimeOfArg(0);
  const TimeAxis* right = c.TimeOfArg(1);
  if (left != nullptr && right != nullptr) return WholeWindow(c);
  const TimeAxis& time = left != nullptr ? *left : *right;
  const int rank = static_cast<int>(c.DimsOf(c.call.args[left != nullptr ? 0 : 1])->size());
  const auto other = c.DimsOf(c.call.args[left != nullptr ? 1 : 0]);
  if (!other) return absl::InvalidArgumentError("has an operand without constant sizes");
  const int other_rank = static_cast<int>(other->size());
  const int summed = left != nullptr || rank == 1 ? rank - 1 : rank - 2;
  if (time.axis == summed) return WholeWindow(c);
  const int ndim = static_cast<int>(c.ResultDims().size());
  TimeAxis out = time;
  if (time.axis >= rank - 2) {  // rows of the left operand, or columns of the right one
    const bool is_last = left == nullptr || other_rank == 1;
    out.axis = is_last ? ndim - 1 : ndim - 2;
    return EachFrame(c, out);
  }
  const int from_end = rank - time.axis;  // an axis of products
  if (other_rank >= from_end && (*other)[other_rank - from_end] != 1) {
    return absl::InvalidArgumentError("multiplies each frame by another matrix");
  }
  out.axis = ndim - (other_rank == 1 ? from_end - 1 : from_end);
  return EachFrame(c, out);
}

}  // namespace lathe::transform
