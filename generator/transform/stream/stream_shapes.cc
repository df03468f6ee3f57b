#include "generator/transform/stream/stream_shapes.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/interp/data/constant_elements.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/complete_call.h"

namespace lathe::transform {
namespace {

using ir::Operand;

Operand ShapeOf(ir::Context& context, const std::vector<int64_t>& dims) {
  ir::ShapeExpr shape;
  for (int64_t dim : dims) shape.values.push_back(context.Int(dim));
  return {std::move(shape)};
}

int64_t ProductOf(const std::vector<int64_t>& dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t k = begin; k < end; ++k) product *= dims[k];
  return product;
}

// Returns the time axis of a reshaped tensor: the axis that begins at the same element, so that it
// moves by whole positions, or nullopt.
std::optional<TimeAxis> Reshaped(const TimeAxis& in, const std::vector<int64_t>& from,
                                 const std::vector<int64_t>& to) {
  const int64_t outer = ProductOf(from, 0, in.axis);
  const int64_t moved = in.step * ProductOf(from, in.axis + 1, from.size());  // elements
  for (size_t axis = 0; axis < to.size(); ++axis) {
    const int64_t inner = ProductOf(to, axis + 1, to.size());
    if (ProductOf(to, 0, axis) != outer || to[axis] == 1 || inner == 0) continue;
    if (moved % inner != 0) return std::nullopt;
    const TimeAxis time{static_cast<int>(axis), to[axis], moved / inner};
    return time.step < time.length ? std::optional<TimeAxis>(time) : std::nullopt;
  }
  return std::nullopt;
}

// Returns the numbers of a constant of integers; nothing for other operands.
std::optional<std::vector<int64_t>> IntegersOf(const RuleCall& c, const Operand& operand) {
  const auto* id = operand.As<ir::ConstantId>();
  if (id == nullptr) return std::nullopt;
  const ir::Constant& constant = c.module.constants[*id];
  return constant.dtype.is_bool() ? std::nullopt : interp::IntsOfConstant(constant);
}

// Reads one frame.
StreamedCall OneFrame(const RuleCall& c, const TimeAxis& in, int64_t index) {
  StreamedCall streamed;
  streamed.window = 1;
  streamed.tail = in.length - 1 - index;
  ir::Call call = c.call;
  const ir::Constant& written = c.module.constants[*call.args[1].As<ir::ConstantId>()];
  ir::Constant zero = written;
  zero.bytes = std::make_shared<std::vector<uint8_t>>(written.bytes->size(), uint8_t{0});
  call.args[1] = {c.module.constants.Add(std::move(zero))};
  streamed.make = [call](int64_t) { return call; };
  return streamed;
}

}  // namespace

absl::StatusOr<StreamedCall> StreamReshape(const RuleCall& c) {
  const TimeAxis* in = c.TimeOfArg(0);
  const std::vector<int64_t> to = c.ResultDims();
  const auto from = c.DimsOf(c.call.args[0]);
  const auto time = Reshaped(*in, *from, to);
  if (!time) return WholeWindow(c);
  StreamedCall streamed = EachFrame(c, *time);
  streamed.window = in->step;
  streamed.each_frame = time->step == in->step && time->length == in->length;
  streamed.make = [c, to, axis = time->axis](int64_t frames) {
    std::vector<int64_t> dims = to;
    dims[axis] = frames;
    return ops::CallOf("relax.reshape", {c.call.args[0], ShapeOf(c.context, dims)});
  };
  return streamed;
}

absl::StatusOr<StreamedCall> StreamPermutation(const RuleCall& c) {
  TimeAxis time = *c.TimeOfArg(0);
  const int ndim = static_cast<int>(c.ResultDims().size());
  const auto axes = ops::FindInts(c.call, "axes");
  if (!axes) {
    time.axis = ndim - 1 - time.axis;
    return EachFrame(c, time);
  }
  for (int to = 0; to < ndim; ++to) {
    if (ops::FromFront((*axes)[to], ndim) != time.axis) continue;
    time.axis = to;
    break;
  }
  return EachFrame(c, time);
}

absl::StatusOr<StreamedCall> StreamBroadcast(const RuleCall& c) {
  const std::vector<int64_t> to = c.ResultDims();
  TimeAxis time = *c.TimeOfArg(0);
  time.axis += static_cast<int>(to.size()) - static_cast<int>(c.DimsOf(c.call.args[0])->size());
  StreamedCall streamed = EachFrame(c, time);
  streamed.make = [c, to, time](int64_t frames) {
    std::vector<int64_t> dims = to;
    dims[time.axis] = frames;
    return ops::CallOf("relax.broadcast_to", {c.call.args[0], ShapeOf(c.context, dims)});
  };
  return streamed;
}

absl::StatusOr<StreamedCall> StreamConcat(const RuleCall& c) {
  const auto* tuple = c.call.args[0].As<ir::TupleExpr>();
  if (tuple == nullptr) return absl::InvalidArgumentError("joins a tuple that is not written out");
  const int ndim = static_cast<int>(c.ResultDims().size());
  const auto written = ops::FindInt(c.call, "axis");
  if (!written) return absl::InvalidArgumentError("joins flat tensors; supported: along an axis");
  const int axis = ops::FromFront(*written, ndim);
  std::optional<TimeAxis> time;
  bool all = true, same = true;
  for (const Operand& field : tuple->fields) {
    const TimeAxis* of = c.TimeOf(field);
    all = all && of != nullptr;
    if (of == nullptr) continue;
    same = same && (!time || *time == *of);
    time = *of;
  }
  if (time->axis == axis) {
    return absl::InvalidArgumentError("joins tensors along time; supported: other axes");
  }
  if (!all || !same) {
    return absl::InvalidArgumentError(
        "joins windows of different numbers of frames, or a tensor that does not move; supported: "
        "windows with as many frames along the same axis");
  }
  return EachFrame(c, *time);
}

absl::StatusOr<StreamedCall> StreamSplit(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const int ndim = static_cast<int>(c.DimsOf(c.call.args[0])->size());
  if (ops::FromFront(ops::FindInt(c.call, "axis").value_or(0), ndim) == in.axis) {
    return absl::InvalidArgumentError("divides the frames; supported: R.strided_slice along time");
  }
  return EachFrame(c, in);
}

absl::StatusOr<StreamedCall> StreamTake(const RuleCall& c) {
  const auto written = ops::FindInt(c.call, "axis");
  if (const TimeAxis* in = c.TimeOfArg(0)) {
    const auto dims = c.DimsOf(c.call.args[0]);
    const auto indices = c.DimsOf(c.call.args[1]);
    if (!indices || c.TimeOfArg(1) != nullptr) {
      return absl::InvalidArgumentError("takes elements at places with a time axis");
    }
    if (!written && dims->size() != 1) return absl::InvalidArgumentError("has no axis");
    const int axis = ops::FromFront(written.value_or(0), static_cast<int>(dims->size()));
    if (axis == in->axis) {
      const auto numbers = IntegersOf(c, c.call.args[1]);
      if (!numbers || numbers->size() != 1) return WholeWindow(c);
      const int64_t index = (*numbers)[0] < 0 ? (*numbers)[0] + in->length : (*numbers)[0];
      if (index < 0 || index >= in->length) return WholeWindow(c);
      return OneFrame(c, *in, index);
    }
    TimeAxis time = *in;
    if (axis < in->axis) time.axis += static_cast<int>(indices->size()) - 1;
    return EachFrame(c, time);
  }
  const auto table = c.DimsOf(c.call.args[0]);
  if (!table) return absl::InvalidArgumentError("reads a table without constant sizes");
  TimeAxis time = *c.TimeOfArg(1);
  time.axis += ops::FromFront(written.value_or(0), static_cast<int>(table->size()));
  return EachFrame(c, time);
}

absl::StatusOr<StreamedCall> StreamStack(const RuleCall& c) {
  const auto* tuple = c.call.args[0].As<ir::TupleExpr>();
  if (tuple == nullptr) return absl::InvalidArgumentError("joins a tuple that is not written out");
  const int ndim = static_cast<int>(c.ResultDims().size());
  const int axis = ops::FromFront(ops::FindInt(c.call, "axis").value_or(0), ndim);
  const TimeAxis* first = c.TimeOf(tuple->fields[0]);
  for (const Operand& field : tuple->fields) {
    const TimeAxis* of = c.TimeOf(field);
    if (first == nullptr || of == nullptr || *of != *first) {
      return absl::InvalidArgumentError(
          "joins windows of different numbers of frames, or a tensor that does not move; "
          "supported: windows with as many frames along the same axis");
    }
  }
  TimeAxis time = *first;
  if (axis <= time.axis) ++time.axis;
  return EachFrame(c, time);
}

absl::StatusOr<StreamedCall> StreamFlip(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const int ndim = static_cast<int>(c.ResultDims().size());
  if (ops::FromFront(ops::IntAttr(c.call, "axis"), ndim) == in.axis) {
    return absl::InvalidArgumentError("reverses the frames; supported: other axes");
  }
  return EachFrame(c, in);
}

absl::StatusOr<StreamedCall> StreamRepetition(const RuleCall& c) {
  TimeAxis time = *c.TimeOfArg(0);
  const int from = static_cast<int>(c.DimsOf(c.call.args[0])->size());
  const std::vector<int64_t> to = c.ResultDims();
  time.axis += static_cast<int>(to.size()) - from;
  const auto axis = ops::FindInt(c.call, "axis");
  const bool flat = c.call.op()->name == "relax.repeat" && !axis && from > 1;
  if (flat || to[static_cast<size_t>(time.axis)] != time.length) {
    return absl::InvalidArgumentError("repeats frames; supported: repetitions along other axes");
  }
  return EachFrame(c, time);
}

}  // namespace lathe::transform
