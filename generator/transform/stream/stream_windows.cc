#include "generator/transform/stream/stream_windows.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {
namespace {

// Returns the axis of a layout such as "NHWC" among its spatial ones: D, H and W; -1 for others.
int SpatialIndex(const std::string& layout, int axis) {
  int index = 0;
  for (int k = 0; k < axis; ++k) index += layout[k] == 'N' || layout[k] == 'C' ? 0 : 1;
  return layout[axis] == 'N' || layout[axis] == 'C' ? -1 : index;
}

// Returns the axis of `layout` with this letter, or -1.
int AxisNamed(const std::string& layout, char letter) {
  const size_t at = layout.find(letter);
  return at == layout.npos ? -1 : static_cast<int>(at);
}

bool IsPlain(const std::string& layout, size_t rank) {
  return layout.size() == rank &&
         absl::c_none_of(layout, [](char letter) { return letter < 'A' || letter > 'Z'; });
}

// Returns the call with this padding before and after along a spatial axis.
ir::Call WithPadding(ir::Call call, int spatial, int64_t before, int64_t after) {
  std::vector<int64_t> padding = ops::IntsAttr(call, "padding");
  padding[spatial] = before;
  padding[spatial + static_cast<int>(padding.size() / 2)] = after;
  call.attrs["padding"] = IntList(padding);
  return call;
}

// The smallest value that a maximum can replace.
double Lowest(ir::DType dtype) {
  if (dtype.is_floating()) return -std::numeric_limits<double>::infinity();
  if (dtype.is_uint() || dtype.is_bool()) return 0;
  return -static_cast<double>(uint64_t{1} << (dtype.bits - 1));
}

// Completes a window of which the kernel, the stride and the dilation are known, and whose padding
// is in the attribute `padding`.
absl::StatusOr<StreamedCall> SlidePadded(const RuleCall& c, const TimeAxis& in, Sliding sliding,
                                         int spatial) {
  const std::vector<int64_t> padding = ops::IntsAttr(c.call, "padding");
  const int64_t before = padding[spatial], after = padding[spatial + padding.size() / 2];
  sliding.pad = before + after;
  sliding.out_length = c.ResultDims()[sliding.out_axis];
  sliding.make = [call = WithPadding(c.call, spatial, 0, 0)](int64_t) { return call; };
  if (sliding.pad > 0) sliding.at_start = WithPadding(c.call, spatial, before + after, 0);
  return Slide(c, in, std::move(sliding));
}

std::optional<int64_t> NumberIn(const ir::Operand& tuple, size_t index) {
  const auto* fields = tuple.As<ir::TupleExpr>();
  if (fields == nullptr || index >= fields->fields.size()) return std::nullopt;
  const auto* prim = fields->fields[index].As<ir::PrimValue>();
  const auto* number = prim == nullptr ? nullptr : prim->value->As<ir::IntImm>();
  return number == nullptr ? std::nullopt : std::optional<int64_t>(number->value);
}

}  // namespace

absl::StatusOr<StreamedCall> StreamConvolution(const RuleCall& c) {
  const TimeAxis* in = c.TimeOfArg(0);
  if (in == nullptr || c.TimeOfArg(1) != nullptr) {
    return absl::InvalidArgumentError("has weights with a time axis; supported: constant weights");
  }
  const std::string data = ops::FindString(c.call, "data_layout");
  const std::string out = ops::FindString(c.call, "out_layout");
  const std::string kernel = ops::FindString(c.call, "kernel_layout");
  const size_t rank = c.ResultDims().size();
  const auto weights = c.DimsOf(c.call.args[1]);
  if (!IsPlain(data, rank) || !IsPlain(out, rank) || !IsPlain(kernel, rank) || !weights) {
    return absl::InvalidArgumentError(absl::StrCat("has the layouts ", data, ", ", kernel, " and ",
                                                   out, "; supported: one axis per letter"));
  }
  const char letter = data[in->axis];
  if (letter == 'C') {
    return absl::InvalidArgumentError(
        "has the channels along time; supported: time as the batch or a spatial axis");
  }
  TimeAxis time = *in;
  if (letter == 'N') {
    time.axis = AxisNamed(out, 'N');
    return EachFrame(c, time);
  }
  const int spatial = SpatialIndex(data, in->axis);
  Sliding sliding;
  sliding.kernel = (*weights)[AxisNamed(kernel, letter)];
  sliding.stride = ops::IntsAttr(c.call, "strides")[spatial];
  sliding.dilation = ops::IntsAttr(c.call, "dilation")[spatial];
  sliding.out_axis = AxisNamed(out, letter);
  return SlidePadded(c, *in, std::move(sliding), spatial);
}

absl::StatusOr<StreamedCall> StreamPool(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const std::string layout = ops::FindString(c.call, "layout");
  const std::string out = ops::FindString(c.call, "out_layout");
  const size_t rank = c.ResultDims().size();
  if (!IsPlain(layout, rank) || !IsPlain(out, rank)) {
    return absl::InvalidArgumentError(
        absl::StrCat("has the layout ", layout, "; supported: one axis per letter"));
  }
  const char letter = layout[in.axis];
  if (letter == 'N' || letter == 'C') {
    TimeAxis time = in;
    time.axis = AxisNamed(out, letter);
    return EachFrame(c, time);
  }
  const int spatial = SpatialIndex(layout, in.axis);
  Sliding sliding;
  sliding.kernel = ops::IntsAttr(c.call, "pool_size")[spatial];
  sliding.stride = ops::IntsAttr(c.call, "strides")[spatial];
  sliding.dilation = ops::IntsAttr(c.call, "dilation")[spatial];
  sliding.out_axis = AxisNamed(out, letter);
  const auto* tensor = c.result->As<ir::TensorInfo>();
  const bool averages = absl::StrContains(c.call.op()->name, "avg_pool");
  if (!averages) sliding.before = Lowest(tensor->dtype);
  const std::vector<int64_t> padding = ops::IntsAttr(c.call, "padding");
  const bool pads = padding[spatial] + padding[spatial + padding.size() / 2] > 0;
  if (averages && pads && c.pads_at_start && !ops::FindBool(c.call, "count_include_pad")) {
    return absl::InvalidArgumentError(
        "averages fewer frames at the border of the window; supported: count_include_pad=True");
  }
  return SlidePadded(c, in, std::move(sliding), spatial);
}

absl::StatusOr<StreamedCall> StreamAdaptivePool(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const std::string layout = ops::FindString(c.call, "layout");
  const std::string out = ops::FindString(c.call, "out_layout");
  const size_t rank = c.ResultDims().size();
  if (IsPlain(layout, rank) && IsPlain(out, rank)) {
    TimeAxis time = in;
    time.axis = AxisNamed(out, layout[in.axis]);
    const bool spatial = layout[in.axis] != 'N' && layout[in.axis] != 'C';
    if (!spatial) return EachFrame(c, time);
    if (c.ResultDims()[time.axis] == 1) return WholeWindow(c);
  }
  return absl::InvalidArgumentError(
      "divides the frames into several groups; supported: one group of all frames");
}

absl::StatusOr<StreamedCall> StreamPad(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const std::vector<int64_t> widths = ops::IntsAttr(c.call, "pad_width");
  const size_t at = 2 * static_cast<size_t>(in.axis);
  const int64_t pad = widths[at] + widths[at + 1];
  if (widths[at] < 0 || widths[at + 1] < 0) {
    return absl::InvalidArgumentError("removes frames; supported: R.strided_slice");
  }
  if (pad == 0) return EachFrame(c, in);
  if (ops::FindString(c.call, "pad_mode") != "constant" && c.pads_at_start) {
    return absl::InvalidArgumentError(
        "pads along time with frames of the window; supported: pad_mode='constant'");
  }
  const auto with = [&](int64_t before) {
    ir::Call call = c.call;
    std::vector<int64_t> changed = widths;
    changed[at] = before;
    changed[at + 1] = 0;
    call.attrs["pad_width"] = IntList(changed);
    return call;
  };
  Sliding sliding;
  sliding.pad = pad;
  sliding.before = ops::FloatAttr(c.call, "pad_value");
  sliding.out_axis = in.axis;
  sliding.out_length = in.length + pad;
  sliding.make = [call = with(0)](int64_t) { return call; };
  sliding.at_start = with(pad);
  return Slide(c, in, std::move(sliding));
}

absl::StatusOr<StreamedCall> StreamSlice(const RuleCall& c) {
  const TimeAxis& in = *c.TimeOfArg(0);
  const auto* axes = c.call.args[1].As<ir::TupleExpr>();
  const int ndim = static_cast<int>(c.ResultDims().size());
  size_t at = 0;
  for (; axes != nullptr && at < axes->fields.size(); ++at) {
    const auto axis = NumberIn(c.call.args[1], at);
    if (axis && ops::FromFront(*axis, ndim) == in.axis) break;
  }
  if (axes == nullptr) return absl::InvalidArgumentError("slices along unknown axes");
  if (at == axes->fields.size()) return EachFrame(c, in);
  const auto begin = NumberIn(c.call.args[2], at);
  const auto stride = c.call.args.size() > 4 ? NumberIn(c.call.args[4], at) : 1;
  if (!begin || !stride || *stride < 1) {
    return absl::InvalidArgumentError("slices the frames backward, or by variable numbers");
  }
  const int64_t first = std::clamp<int64_t>(*begin < 0 ? *begin + in.length : *begin, 0, in.length);
  Sliding sliding;
  sliding.stride = *stride;
  sliding.out_axis = in.axis;
  sliding.out_length = c.ResultDims()[in.axis];
  sliding.make = [c, at, stride](int64_t frames) {
    ir::Call call = c.call;
    const auto set = [&](size_t arg, int64_t number) {
      call.args[arg].As<ir::TupleExpr>()->fields[at] = {ir::PrimValue{c.context.Int(number)}};
    };
    set(2, 0);
    set(3, (frames - 1) * *stride + 1);
    return call;
  };
  if (sliding.out_length < 1) return absl::InvalidArgumentError("takes no frames");
  TimeAxis rest = in;  // without the frames before the slice, which it never reads
  rest.length -= first;
  return Slide(c, rest, std::move(sliding));
}

}  // namespace lathe::transform
