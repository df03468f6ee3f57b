#include "generator/transform/stream/stream_rules.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/transform/stream/stream_einsum.h"
#include "generator/transform/stream/stream_elementwise.h"
#include "generator/transform/stream/stream_kernels.h"
#include "generator/transform/stream/stream_reductions.h"
#include "generator/transform/stream/stream_shapes.h"
#include "generator/transform/stream/stream_windows.h"

namespace lathe::transform {
namespace {

struct NamedRule {
  absl::string_view name;
  StreamRule rule;
};

constexpr NamedRule kStreamRules[] = {
    {"relax.abs", StreamElementwise},
    {"relax.acos", StreamElementwise},
    {"relax.acosh", StreamElementwise},
    {"relax.add", StreamElementwise},
    {"relax.argmax", StreamReduction},
    {"relax.argmin", StreamReduction},
    {"relax.argsort", StreamAlongAxes},
    {"relax.asin", StreamElementwise},
    {"relax.asinh", StreamElementwise},
    {"relax.astype", StreamElementwise},
    {"relax.atan", StreamElementwise},
    {"relax.atan2", StreamElementwise},
    {"relax.atanh", StreamElementwise},
    {"relax.bitwise_and", StreamElementwise},
    {"relax.bitwise_not", StreamElementwise},
    {"relax.bitwise_or", StreamElementwise},
    {"relax.bitwise_xor", StreamElementwise},
    {"relax.broadcast_to", StreamBroadcast},
    {"relax.call_tir", StreamKernel},
    {"relax.ceil", StreamElementwise},
    {"relax.clip", StreamElementwise},
    {"relax.concat", StreamConcat},
    {"relax.cos", StreamElementwise},
    {"relax.cosh", StreamElementwise},
    {"relax.cumprod", StreamAlongAxes},
    {"relax.cumsum", StreamAlongAxes},
    {"relax.dequantize", StreamScaled},
    {"relax.divide", StreamElementwise},
    {"relax.einsum", StreamEinsum},
    {"relax.equal", StreamElementwise},
    {"relax.erf", StreamElementwise},
    {"relax.ewise_fma", StreamElementwise},
    {"relax.exp", StreamElementwise},
    {"relax.expand_dims", StreamReshape},
    {"relax.flatten", StreamReshape},
    {"relax.flip", StreamFlip},
    {"relax.floor", StreamElementwise},
    {"relax.floor_divide", StreamElementwise},
    {"relax.floor_mod", StreamElementwise},
    {"relax.greater", StreamElementwise},
    {"relax.greater_equal", StreamElementwise},
    {"relax.isfinite", StreamElementwise},
    {"relax.isinf", StreamElementwise},
    {"relax.isnan", StreamElementwise},
    {"relax.lathe.requantize", StreamScaled},
    {"relax.left_shift", StreamElementwise},
    {"relax.less", StreamElementwise},
    {"relax.less_equal", StreamElementwise},
    {"relax.log", StreamElementwise},
    {"relax.log_add_exp", StreamElementwise},
    {"relax.logical_and", StreamElementwise},
    {"relax.logical_not", StreamElementwise},
    {"relax.logical_or", StreamElementwise},
    {"relax.logical_xor", StreamElementwise},
    {"relax.matmul", StreamMatmul},
    {"relax.max", StreamReduction},
    {"relax.maximum", StreamElementwise},
    {"relax.mean", StreamReduction},
    {"relax.min", StreamReduction},
    {"relax.minimum", StreamElementwise},
    {"relax.mod", StreamElementwise},
    {"relax.multiply", StreamElementwise},
    {"relax.negative", StreamElementwise},
    {"relax.nn.adaptive_avg_pool1d", StreamAdaptivePool},
    {"relax.nn.adaptive_avg_pool2d", StreamAdaptivePool},
    {"relax.nn.adaptive_avg_pool3d", StreamAdaptivePool},
    {"relax.nn.attention", StreamAllFrames},
    {"relax.nn.avg_pool1d", StreamPool},
    {"relax.nn.avg_pool2d", StreamPool},
    {"relax.nn.avg_pool3d", StreamPool},
    {"relax.nn.batch_flatten", StreamReshape},
    {"relax.nn.batch_norm", StreamBatchNorm},
    {"relax.nn.conv1d", StreamConvolution},
    {"relax.nn.conv2d", StreamConvolution},
    {"relax.nn.conv3d", StreamConvolution},
    {"relax.nn.gelu", StreamElementwise},
    {"relax.nn.gelu_tanh", StreamElementwise},
    {"relax.nn.group_norm", StreamAlongAxes},
    {"relax.nn.instance_norm", StreamAlongAxes},
    {"relax.nn.layer_norm", StreamAlongAxes},
    {"relax.nn.leakyrelu", StreamElementwise},
    {"relax.nn.log_softmax", StreamAlongAxes},
    {"relax.nn.max_pool1d", StreamPool},
    {"relax.nn.max_pool2d", StreamPool},
    {"relax.nn.max_pool3d", StreamPool},
    {"relax.nn.pad", StreamPad},
    {"relax.nn.prelu", StreamScaled},
    {"relax.nn.relu", StreamElementwise},
    {"relax.nn.rms_norm", StreamAlongAxes},
    {"relax.nn.selu", StreamElementwise},
    {"relax.nn.silu", StreamElementwise},
    {"relax.nn.softmax", StreamAlongAxes},
    {"relax.nn.softplus", StreamElementwise},
    {"relax.not_equal", StreamElementwise},
    {"relax.permute_dims", StreamPermutation},
    {"relax.power", StreamElementwise},
    {"relax.prod", StreamReduction},
    {"relax.quantize", StreamScaled},
    {"relax.repeat", StreamRepetition},
    {"relax.reshape", StreamReshape},
    {"relax.right_shift", StreamElementwise},
    {"relax.round", StreamElementwise},
    {"relax.rsqrt", StreamElementwise},
    {"relax.sigmoid", StreamElementwise},
    {"relax.sign", StreamElementwise},
    {"relax.sin", StreamElementwise},
    {"relax.sinh", StreamElementwise},
    {"relax.sort", StreamAlongAxes},
    {"relax.split", StreamSplit},
    {"relax.sqrt", StreamElementwise},
    {"relax.square", StreamElementwise},
    {"relax.squeeze", StreamReshape},
    {"relax.stack", StreamStack},
    {"relax.std", StreamReduction},
    {"relax.strided_slice", StreamSlice},
    {"relax.subtract", StreamElementwise},
    {"relax.sum", StreamReduction},
    {"relax.take", StreamTake},
    {"relax.tan", StreamElementwise},
    {"relax.tanh", StreamElementwise},
    {"relax.tile", StreamRepetition},
    {"relax.topk", StreamAlongAxes},
    {"relax.trunc", StreamElementwise},
    {"relax.variance", StreamReduction},
    {"relax.where", StreamElementwise},
};

}  // namespace

StreamRule FindStreamRule(absl::string_view name) {
  const auto* found = std::find_if(std::begin(kStreamRules), std::end(kStreamRules),
                                   [&](const NamedRule& rule) { return rule.name == name; });
  return found == std::end(kStreamRules) ? nullptr : found->rule;
}

std::string StreamedOperators() {
  std::string names;
  for (const NamedRule& rule : kStreamRules) {
    absl::StrAppend(&names, names.empty() ? "R." : ", R.", absl::StripPrefix(rule.name, "relax."));
  }
  return names;
}

}  // namespace lathe::transform
