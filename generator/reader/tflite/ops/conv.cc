// Imports convolutions. Images have channels last; weights are [O, H, W, I].
#include <algorithm>
#include <utility>
#include <vector>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/hybrid.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/sums.h"
#include "generator/reader/tflite/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

struct ConvForm {
  bool depthwise = false;
  int64_t groups = 1, channels_out = 0;
  WindowAxis y, x;
};

absl::StatusOr<ConvForm> FormOf(OpCall& c, bool depthwise) {
  const std::vector<int64_t>&data = c.In(0).shape, &weight = c.In(1).shape;
  if (data.size() != 4 || weight.size() != 4) {
    return c.Error() << "data and weights must have 4 dimensions, got " << data.size() << " and "
                     << weight.size();
  }
  ConvForm form;
  form.depthwise = depthwise;
  form.y = {data[1], weight[1], c.Int("stride_h"), c.Int("dilation_h")};
  form.x = {data[2], weight[2], c.Int("stride_w"), c.Int("dilation_w")};
  LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), form.y));
  LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), form.x));
  form.channels_out = depthwise ? weight[3] : weight[0];
  const int64_t channels = data[3];
  if (depthwise) {
    form.groups = channels;
    if (weight[0] != 1 || channels == 0 || form.channels_out % channels != 0) {
      return c.Error() << "depthwise weights have " << form.channels_out << " channels for "
                       << channels << " of the data";
    }
    return form;
  }
  if (weight[3] == 0 || channels == 0 || channels % weight[3] != 0 ||
      form.channels_out % (channels / weight[3]) != 0) {
    return c.Error() << "weights for " << weight[3] << " channels do not divide the " << channels
                     << " of the data and the " << form.channels_out << " of the result in groups";
  }
  form.groups = channels / weight[3];
  return form;
}

// [1, H, W, C * M] as [H, W, C * M, 1].
Operand DepthwiseWeight(OpCall& c, const Operand& weight) {
  const Dims d = c.DimsOf(weight);
  return c.Reshape(weight, {d[1], d[2], d[3], c.ir().Int(1)});
}

Operand Convolved(OpCall& c, const ConvForm& form, const Operand& x, Operand weight, DType dtype) {
  if (form.depthwise) weight = DepthwiseWeight(c, weight);
  return c.Op("relax.nn.conv2d", {x, std::move(weight)},
              {{"strides", ir::AttrList{form.y.stride, form.x.stride}},
               {"padding", ir::AttrList{form.y.before, form.x.before, form.y.after, form.x.after}},
               {"dilation", ir::AttrList{form.y.dilation, form.x.dilation}},
               {"groups", form.groups},
               {"data_layout", "NHWC"},
               {"kernel_layout", form.depthwise ? "HWOI" : "OHWI"},
               {"out_layout", "NHWC"},
               {"out_dtype", dtype}});
}

absl::StatusOr<Results> ImportConvolution(OpCall& c, bool depthwise) {
  LATHE_ASSIGN_OR_RETURN(const ConvForm form, FormOf(c, depthwise));
  const int weight_axis = depthwise ? 3 : 0;
  LATHE_ASSIGN_OR_RETURN(const SumForm sums, SumFormOf(c, weight_axis, form.channels_out));
  if (sums.kind == SumKind::kFloat) {
    const Operand made = Convolved(c, form, c.Arg(0), c.Arg(1), DType::Float(32));
    return FloatActivation(c, WithBias(c, made, 2), c.Int("activation"));
  }
  if (sums.kind == SumKind::kHybrid) {
    // LiteRT quantizes the data symmetrically only if all channels have the same scale.
    const std::vector<double>& scales = sums.scales;
    const bool one_scale =
        std::all_of(scales.begin(), scales.end(), [&](double scale) { return scale == scales[0]; });
    const HybridForm how = {depthwise || !one_scale, !depthwise && !one_scale};
    LATHE_ASSIGN_OR_RETURN(
        const Results made,
        HybridSums(c, sums, c.Arg(0), how, [&](const Operand& x, const Operand& weight) {
          return Convolved(c, form, x, weight, DType::Int(32));
        }));
    return FloatActivation(c, made.operands[0], c.Int("activation"));
  }
  const Operand x = SubtractZeroPoint(c, c.Arg(0), sums.zero, sums.dtype);
  const Operand w = SubtractZeroPoint(c, c.Arg(1), sums.weight_zero, sums.dtype);
  const Operand made = Convolved(c, form, x, w, sums.dtype);
  return FinishSums(c, sums, made, 2, 3, c.Int("activation"));
}

}  // namespace

absl::StatusOr<Results> ImportConv2d(OpCall& c) { return ImportConvolution(c, false); }
absl::StatusOr<Results> ImportDepthwiseConv2d(OpCall& c) { return ImportConvolution(c, true); }

absl::StatusOr<Results> ImportConv3d(OpCall& c) {
  const std::vector<int64_t>&data = c.In(0).shape, &weight = c.In(1).shape;
  if (data.size() != 5 || weight.size() != 5) {
    return c.Error() << "data and weights must have 5 dimensions";
  }
  if (c.TypeOf(c.Arg(0)) != DType::Float(32)) {
    return c.Unsupported() << "CONV_3D of " << TypeName(c.In(0).type) << "; float32 is supported";
  }
  WindowAxis axes[] = {{data[1], weight[0], c.Int("stride_d"), c.Int("dilation_d")},
                       {data[2], weight[1], c.Int("stride_h"), c.Int("dilation_h")},
                       {data[3], weight[2], c.Int("stride_w"), c.Int("dilation_w")}};
  ir::AttrList strides, dilation, before, after;
  for (WindowAxis& axis : axes) {
    LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), axis));
    strides.emplace_back(axis.stride);
    dilation.emplace_back(axis.dilation);
    before.emplace_back(axis.before);
    after.emplace_back(axis.after);
  }
  if (weight[3] == 0 || data[4] == 0 || data[4] % weight[3] != 0) {
    return c.Error() << "weights for " << weight[3] << " channels do not divide the " << data[4]
                     << " of the data in groups";
  }
  before.insert(before.end(), after.begin(), after.end());
  const Operand made = c.Op("relax.nn.conv3d", {c.Arg(0), c.Arg(1)},
                            {{"strides", std::move(strides)},
                             {"padding", std::move(before)},
                             {"dilation", std::move(dilation)},
                             {"groups", data[4] / weight[3]},
                             {"data_layout", "NDHWC"},
                             {"kernel_layout", "DHWIO"},
                             {"out_layout", "NDHWC"}});
  return FloatActivation(c, WithBias(c, made, 2), c.Int("activation"));
}

}  // namespace lathe::tflite
