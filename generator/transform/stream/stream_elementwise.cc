#include "generator/transform/stream/stream_elementwise.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {
namespace {

using ir::Operand;

// Returns the axis of `operand` that is broadcast to axis `axis` of a result of rank `ndim`,
// or -1.
int AxisOf(size_t rank, int axis, size_t ndim) {
  return std::max(axis - static_cast<int>(ndim) + static_cast<int>(rank), -1);
}

// Returns the first `frames` frames of a constant whose frames along `axis` are equal; nothing for
// other operands.
std::optional<ir::Constant> EqualFrames(const RuleCall& c, const Operand& operand, int axis,
                                        int64_t frames) {
  const auto* id = operand.As<ir::ConstantId>();
  if (id == nullptr) return std::nullopt;
  const ir::Constant& constant = c.module.constants[*id];
  if (constant.dtype.bits < 8 && !constant.dtype.is_bool()) return std::nullopt;
  const int64_t length = constant.shape[axis];
  int64_t outer = 1;
  for (int k = 0; k < axis; ++k) outer *= constant.shape[k];
  const std::vector<uint8_t>& bytes = *constant.bytes;
  if (outer == 0 || length == 0 || bytes.empty()) return std::nullopt;
  const size_t frame = bytes.size() / static_cast<size_t>(outer * length);
  ir::Constant first{constant.dtype, constant.shape, nullptr};
  first.shape[axis] = frames;
  auto kept = std::make_shared<std::vector<uint8_t>>();
  for (int64_t row = 0; row < outer; ++row) {
    const uint8_t* start = &bytes[static_cast<size_t>(row * length) * frame];
    for (int64_t k = 1; k < length; ++k) {
      if (std::memcmp(start, start + static_cast<size_t>(k) * frame, frame) != 0) {
        return std::nullopt;
      }
    }
    for (int64_t k = 0; k < frames; ++k) kept->insert(kept->end(), start, start + frame);
  }
  first.bytes = std::move(kept);
  return first;
}

}  // namespace

absl::StatusOr<StreamedCall> StreamElementwise(const RuleCall& c) {
  const size_t ndim = c.ResultDims().size();
  std::optional<TimeAxis> time;  // of the result
  for (const Operand& arg : c.call.args) {
    const TimeAxis* of = c.TimeOf(arg);
    if (of == nullptr) continue;
    const auto dims = c.DimsOf(arg);
    TimeAxis here = *of;
    here.axis += static_cast<int>(ndim) - static_cast<int>(dims->size());
    if (time && *time != here) {
      return absl::InvalidArgumentError(absl::StrCat(
          "combines windows of ", time->length, " and ", here.length, " frames along the axes ",
          time->axis, " and ", here.axis, " with ", time->step, " and ", here.step,
          " new ones; supported: windows with as many frames along the same axis"));
    }
    time = here;
  }
  if (c.ResultDims()[time->axis] != time->length) {
    return absl::InvalidArgumentError(absl::StrCat("repeats a frame along time"));
  }
  StreamedCall streamed = EachFrame(c, *time);
  std::vector<std::pair<size_t, int>> fixed;  // arguments with frames along time, and their axes
  for (size_t k = 0; k < c.call.args.size(); ++k) {
    const Operand& arg = c.call.args[k];
    const auto dims = c.TimeOf(arg) != nullptr ? std::nullopt : c.DimsOf(arg);
    const int axis = dims ? AxisOf(dims->size(), time->axis, ndim) : -1;
    if (axis < 0 || (*dims)[axis] == 1) continue;
    if (!EqualFrames(c, arg, axis, 1)) {
      return absl::InvalidArgumentError(
          "has an operand with other values for each frame, so the values of a frame depend on its "
          "place in the window; supported: a constant with equal frames, or another input of "
          "--stream");
    }
    fixed.push_back({k, axis});
  }
  if (!fixed.empty()) {
    streamed.make = [c, fixed](int64_t frames) {
      ir::Call call = c.call;
      for (const auto& [k, axis] : fixed) {
        call.args[k] = {c.module.constants.Add(*EqualFrames(c, call.args[k], axis, frames))};
      }
      return call;
    };
  }
  return streamed;
}

absl::StatusOr<StreamedCall> StreamScaled(const RuleCall& c) {
  const TimeAxis* time = c.TimeOfArg(0);
  if (!OnlyFirstMoves(c)) {
    return absl::InvalidArgumentError("has parameters that move along time; supported: constants");
  }
  const int ndim = static_cast<int>(c.ResultDims().size());
  const int axis = ops::FromFront(ops::IntAttr(c.call, "axis"), ndim);
  for (size_t k = 1; k < c.call.args.size(); ++k) {
    const auto dims = c.DimsOf(c.call.args[k]);
    if (dims && !dims->empty() && dims->back() != 1 && axis == time->axis) {
      return absl::InvalidArgumentError(
          "has parameters for each frame, so the values of a frame depend on its place in the "
          "window; supported: parameters along other axes");
    }
  }
  return EachFrame(c, *time);
}

}  // namespace lathe::transform
