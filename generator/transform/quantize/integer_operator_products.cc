// Emits convolutions and products with constant weights.
#include <algorithm>
#include <utility>

#include "generator/ops/args/attributes.h"
#include "generator/transform/quantize/integer_depthwise.h"
#include "generator/transform/quantize/integer_operator.h"
#include "generator/transform/quantize/integer_product.h"
#include "generator/transform/quantize/quantize_image.h"

namespace lathe::transform {
namespace {

// Treats [N, C, W] as an image of one line: [N, C, 1, W].
std::vector<int64_t> AsImage(std::vector<int64_t> dims) {
  if (dims.size() == 3) dims.insert(dims.begin() + 2, 1);
  return dims;
}

// The attributes of the call, with the dimensions of x and of the kernel as images.
IntegerWindow WindowOf(const ir::Call& call, const std::vector<int64_t>& x,
                       const std::vector<int64_t>& kernel, const std::vector<int64_t>& out) {
  IntegerWindow w;
  const auto pair = [&](const char* name, int64_t& h, int64_t& v) {
    const std::vector<int64_t> values = ops::IntsAttr(call, name);
    h = values.size() == 2 ? values[0] : 1;
    v = values.back();
  };
  pair("strides", w.stride_h, w.stride_w);
  pair("dilation", w.dilation_h, w.dilation_w);
  const std::vector<int64_t> pads = ops::IntsAttr(call, "padding");
  w.left = pads[pads.size() / 2 - 1];
  w.right = pads.back();
  if (pads.size() == 4) {
    w.top = pads[0];
    w.bottom = pads[2];
  }
  w.groups = ops::IntAttr(call, "groups");
  w.batch = x[0];
  w.channels = x[1];
  w.height = x[2];
  w.width = x[3];
  w.kernel_h = kernel[2];
  w.kernel_w = kernel[3];
  w.out_h = out[2];
  w.out_w = out[3];
  return w;
}

// The bias of each of `columns` along the channels; nullopt for other forms.
std::optional<std::vector<double>> BiasOf(const IntegerGraph& graph, const RealOperator& op,
                                          int64_t columns, size_t axis, size_t rank) {
  std::vector<double> bias;
  if (!op.bias) return bias;
  const auto constant = graph.NumbersOf(*op.bias);
  if (!constant || constant->dims.size() > rank) return std::nullopt;
  std::vector<int64_t> dims = constant->dims;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] != 1 && (i != axis || dims[i] != columns)) return std::nullopt;
  }
  bias.assign(static_cast<size_t>(columns), constant->values[0]);
  if (constant->values.size() > 1) bias = constant->values;
  return bias;
}

// One scale per position of the first dimension, if the scales have that form.
std::optional<std::vector<double>> ScalesOf(const IntegerWeights& weights) {
  const size_t columns = static_cast<size_t>(weights.dims[0]);
  const size_t each = weights.values.size() / columns;
  std::vector<double> scales;
  for (size_t c = 0; c < columns; ++c) {
    const auto begin = weights.scales.begin() + static_cast<std::ptrdiff_t>(c * each);
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(each),
                    [&](double s) { return s != *begin; })) {
      return std::nullopt;
    }
    scales.push_back(*begin);
  }
  return scales;
}

// Reorders [O, I, H, W] to [O, H, W, I].
std::vector<int32_t> ChannelsInnermost(const std::vector<int32_t>& values,
                                       const std::vector<int64_t>& dims) {
  std::vector<int32_t> moved;
  const int64_t area = dims[2] * dims[3];
  for (int64_t o = 0; o < dims[0]; ++o) {
    for (int64_t place = 0; place < area; ++place) {
      for (int64_t i = 0; i < dims[1]; ++i) {
        moved.push_back(values[static_cast<size_t>((o * dims[1] + i) * area + place)]);
      }
    }
  }
  return moved;
}

}  // namespace

MaybeOperand IntegerConv(IntegerGraph& graph, const RealOperator& op,
                         const RequiredResult& wanted) {
  const ir::Call& call = *op.core;
  const bool line = call.op()->name == "relax.nn.conv1d";
  const bool usual = ops::FindString(call, "data_layout") == (line ? "NCW" : "NCHW") &&
                     ops::FindString(call, "kernel_layout") == (line ? "OIW" : "OIHW") &&
                     ops::FindString(call, "out_layout") == (line ? "NCW" : "NCHW");
  auto weights = graph.WeightsOf(call.args[1]);
  if (!usual || !weights) return std::nullopt;
  const auto scales = ScalesOf(*weights);
  const auto bias = BiasOf(graph, op, weights->dims[0], 1, wanted.dims.size());
  auto x = scales && bias ? graph.Dequantized(call.args[0]) : std::nullopt;
  if (!x) return std::nullopt;
  const std::vector<int64_t> image = AsImage(x->dims), out = AsImage(wanted.dims);
  weights->dims = AsImage(weights->dims);
  IntegerProduct p;
  p.window = WindowOf(call, image, weights->dims, out);
  p.rows = out[0] * out[2] * out[3];
  p.columns = out[1];
  p.depth = weights->dims[1] * weights->dims[2] * weights->dims[3];
  p.weights = ChannelsInnermost(weights->values, weights->dims);
  p.scales = *scales;
  p.bias = *bias;
  p.x = *x;
  if (line) {
    p.x.data = graph.Op("relax.expand_dims", {x->data}, {{"axis", ir::AttrList{{2}}}}, image,
                        x->affine.dtype);
  }
  p.x.dims = image;
  if (!graph.IsChannelsLast(p.x.data)) {
    const MaybeOperand reordered = QuantizeImage(graph, p.x);
    if (reordered) graph.RememberChannelsLast(p.x.data, *reordered);
  }
  p.x.data = graph.ChannelsLast(p.x);
  p.x.dims = {image[0], image[2], image[3], image[1]};
  p.dims = {out[0], out[2], out[3], out[1]};
  const IntegerWindow& w = *p.window;
  const bool depthwise = w.groups > 1 && w.groups == w.channels && p.columns == w.channels;
  // Real results leave the integer graph, where channels come first.
  p.channels_first = !wanted.affine && !depthwise;
  if (p.channels_first) p.dims = out;
  p.name = depthwise ? "depthwise_conv2d" : "conv2d";
  const MaybeOperand last = depthwise ? EmitIntegerDepthwise(graph, p, op, wanted)
                                      : EmitIntegerProduct(graph, p, op, wanted);
  if (!last) return std::nullopt;
  const ir::Operand made =
      p.channels_first ? *last : graph.FromChannelsLast(*last, out, wanted.dtype());
  if (!line) return made;
  return graph.Op("relax.squeeze", {made}, {{"axis", ir::AttrList{{2}}}}, wanted.dims,
                  wanted.dtype());
}

MaybeOperand IntegerMatMul(IntegerGraph& graph, const RealOperator& op,
                           const RequiredResult& wanted) {
  auto weights = graph.WeightsOf(op.core->args[1]);
  if (!weights || weights->dims.size() != 2) return std::nullopt;
  const int64_t depth = weights->dims[0], columns = weights->dims[1];
  // The weights of each column are consecutive.
  IntegerWeights reordered = {{columns, depth}, {}, {}};
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t k = 0; k < depth; ++k) {
      reordered.values.push_back(weights->values[static_cast<size_t>(k * columns + c)]);
      reordered.scales.push_back(weights->scales[static_cast<size_t>(k * columns + c)]);
    }
  }
  const auto scales = ScalesOf(reordered);
  const size_t rank = wanted.dims.size();
  const auto bias = BiasOf(graph, op, columns, rank - 1, rank);
  const auto x = scales && bias && rank > 0 ? graph.Dequantized(op.core->args[0]) : std::nullopt;
  if (!x || x->dims.size() < 2) return std::nullopt;
  IntegerProduct p;
  p.name = "matmul";
  p.x = *x;
  p.dims = wanted.dims;
  p.depth = depth;
  p.columns = columns;
  for (size_t i = 0; i + 1 < wanted.dims.size(); ++i) p.rows *= wanted.dims[i];
  p.weights = std::move(reordered.values);
  p.scales = *scales;
  p.bias = *bias;
  return EmitIntegerProduct(graph, p, op, wanted);
}

}  // namespace lathe::transform
