#include "generator/transform/stream/stream_rule.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"

namespace lathe::transform {
const TimeAxis* RuleCall::TimeOf(const ir::Operand& operand) const {
  const auto* id = operand.As<ir::ValueId>();
  const auto found = id == nullptr ? times.end() : times.find(*id);
  return found == times.end() ? nullptr : &found->second;
}

const TimeAxis* RuleCall::TimeOfArg(size_t index) const {
  return index < call.args.size() ? TimeOf(call.args[index]) : nullptr;
}

std::optional<std::vector<int64_t>> RuleCall::DimsOf(const ir::Operand& operand) const {
  return StaticDims(analysis::KnownInfo(context, module, operand));
}

std::vector<int64_t> RuleCall::ResultDims() const {
  return StaticDims(result).value_or(std::vector<int64_t>());
}

std::optional<std::vector<int64_t>> StaticDims(ir::StructInfoRef info) {
  const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  if (tensor == nullptr || tensor->dims() == nullptr) return std::nullopt;
  std::vector<int64_t> dims;
  for (ir::PrimRef dim : *tensor->dims()) {
    const auto* size = dim->As<ir::IntImm>();
    if (size == nullptr) return std::nullopt;
    dims.push_back(size->value);
  }
  return dims;
}

bool OnlyFirstMoves(const RuleCall& c) {
  for (size_t k = 1; k < c.call.args.size(); ++k) {
    if (c.TimeOfArg(k) != nullptr) return false;
  }
  return c.TimeOfArg(0) != nullptr;
}

StreamedCall EachFrame(const RuleCall& c, const TimeAxis& time) {
  StreamedCall streamed;
  streamed.window = streamed.frames = time.step;
  streamed.time = time;
  streamed.each_frame = true;
  streamed.make = [call = c.call](int64_t) { return call; };
  return streamed;
}

StreamedCall WholeWindow(const RuleCall& c) {
  StreamedCall streamed;
  streamed.make = [call = c.call](int64_t) { return call; };
  return streamed;
}

absl::StatusOr<StreamedCall> Slide(const RuleCall& c, const TimeAxis& in, Sliding sliding) {
  const int64_t extent = (sliding.kernel - 1) * sliding.dilation + 1;
  const int64_t length = in.length + sliding.pad;
  const int64_t read = (sliding.out_length - 1) * sliding.stride + extent;
  const bool single = sliding.out_length == 1;
  if (single && sliding.pad > 0 && !c.pads_at_start) return WholeWindow(c);
  if (sliding.pad > 0 && !c.pads_at_start) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pads ", sliding.pad, sliding.pad == 1 ? " frame" : " frames",
        " along time, so the values of a frame depend on its place in the window; supported: no "
        "padding along time, or --stream-padding start, which pads before the first frame only"));
  }
  if (read > length) {
    return absl::InvalidArgumentError(
        "reads beyond the last frame (ceil_mode); supported: windows inside of the frames");
  }
  if (!single && in.step % sliding.stride != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("has a stride of ", sliding.stride, " along time, and gets ", in.step,
                     in.step == 1 ? " new frame" : " new frames",
                     " for each step; supported: a number of new frames that the strides divide"));
  }
  StreamedCall streamed;
  const int64_t step = single ? 1 : in.step / sliding.stride;
  streamed.frames = std::min(step, sliding.out_length);
  streamed.window = (streamed.frames - 1) * sliding.stride + extent;
  streamed.tail = length - read;
  if (sliding.pad > 0) streamed.before = sliding.before;
  if (step < sliding.out_length) {
    streamed.time = TimeAxis{sliding.out_axis, sliding.out_length, step};
  }
  streamed.make = std::move(sliding.make);
  streamed.at_start = std::move(sliding.at_start);
  return streamed;
}

ir::AttrValue IntList(const std::vector<int64_t>& numbers) {
  ir::AttrList list;
  for (int64_t number : numbers) list.emplace_back(number);
  return ir::AttrValue(std::move(list));
}

}  // namespace lathe::transform
