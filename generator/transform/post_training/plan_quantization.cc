#include "generator/transform/post_training/plan_quantization.h"

#include <cmath>
#include <utility>
#include <vector>

#include "generator/transform/post_training/adapt_rounding.h"
#include "generator/transform/post_training/float_constant.h"

namespace lathe::transform {
namespace {

// Levels of the histograms' search; 16 bits are finer than a histogram.
int64_t LevelsOf(ir::DType dtype) { return HighestInteger(dtype) - LowestInteger(dtype) + 1; }

constexpr int kWeightBits = 8;

// The scales of weights below which a bias in units of the accumulator exceeds int32. Channels with
// small weights and a large bias occur after batch normalization.
std::vector<double> LeastScales(const ir::Module& module, const QuantizedLayer& layer,
                                const ir::Constant& weights, double input_scale) {
  if (!layer.bias) return {};
  constexpr double kLargestBias = 1 << 30;  // leaves room for the products
  const std::vector<float> bias = FloatsOf(module.constants[*layer.bias]);
  std::vector<double> least(
      static_cast<size_t>(weights.shape[static_cast<size_t>(layer.axes.weights)]));
  for (size_t c = 0; c < least.size(); ++c) {
    const auto value = static_cast<double>(bias.size() == 1 ? bias[0] : bias[c]);
    least[c] = std::abs(value) / (input_scale * kLargestBias);
  }
  return least;
}

}  // namespace

QuantizationPlan PlanQuantization(const FloatNetwork& network, const NetworkLayers& layers,
                                  const Observations& observations,
                                  const QuantizationScheme& scheme) {
  QuantizationPlan plan;
  plan.network = layers;
  plan.activations = scheme.activations;
  // Clipping loses more than 16 bits gain.
  const RangeChoice choice = scheme.activations.bits > 8 ? RangeChoice() : scheme.range;
  for (ir::ValueId point : layers.points) {
    const auto source = layers.moved_from.find(point);
    const auto seen =
        observations.ranges.find(source == layers.moved_from.end() ? point : source->second);
    const ValueRange range = seen == observations.ranges.end()
                                 ? ValueRange()
                                 : seen->second.Choose(choice, LevelsOf(scheme.activations));
    plan.scales[point] = ScaleOf(range, scheme.activations);
  }
  const auto calls = CallsOf(network);
  for (const QuantizedLayer& layer : layers.layers) {
    if (layer.kind != LayerKind::kProduct) continue;
    const ir::Call& call = *calls.at(layer.core);
    const ir::Constant& weights = network.module.constants[*call.args[1].As<ir::ConstantId>()];
    QuantizedWeights& quantized = plan.weights[layer.core];
    const auto input = static_cast<double>(plan.scales.at(layer.inputs[0]).scale);
    quantized = QuantizeWeights(weights, layer.axes.weights, kWeightBits,
                                LeastScales(network.module, layer, weights, input));
    const auto moments = observations.moments.find(layer.core);
    if (moments == observations.moments.end()) continue;
    if (scheme.adapt_rounding) AdaptRounding(weights, moments->second, kWeightBits, quantized);
    if (!scheme.correct_bias || !layer.bias) continue;
    std::vector<float> bias = FloatsOf(network.module.constants[*layer.bias]);
    const std::vector<double> errors = MeanErrors(weights, moments->second, quantized);
    bias.resize(errors.size(), bias.empty() ? 0 : bias[0]);
    for (size_t c = 0; c < bias.size(); ++c) bias[c] -= static_cast<float>(errors[c]);
    plan.biases[layer.core] = std::move(bias);
  }
  return plan;
}

}  // namespace lathe::transform
