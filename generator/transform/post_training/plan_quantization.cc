#include "generator/transform/post_training/plan_quantization.h"

#include <cmath>
#include <utility>
#include <vector>

#include "generator/transform/post_training/adapt_rounding.h"
#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

// Levels of the histograms' search; 16 bits are finer than a histogram.
int64_t LevelsOf(ir::DType dtype) { return HighestInteger(dtype) - LowestInteger(dtype) + 1; }

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

// Returns the groups of `layer` that share a scale. The rows of a matrix, or the input channels of
// a convolution, are divided into blocks if there are enough of them.
ScaleGroups GroupsOf(const QuantizedLayer& layer, const ir::Constant& weights, int64_t block) {
  const int axis = layer.axes.summed;
  if (block == 0 || weights.shape[static_cast<size_t>(axis)] < block) {
    return ChannelGroups(weights.shape, layer.axes.weights);
  }
  return BlockGroups(weights.shape, axis, block);
}

// Results of moves have the scale of their input.
void SetScales(QuantizationPlan& plan) {
  plan.scales.clear();
  for (ir::ValueId point : plan.network.points) {
    const auto source = plan.network.moved_from.find(point);
    const bool moved = source != plan.network.moved_from.end();
    plan.scales[point] = plan.own_scales.at(moved ? source->second : point);
  }
}

// Chooses the scales of all points from their observed ranges.
void SetOwnScales(const NetworkLayers& layers, const Observations& observations,
                  const QuantizationScheme& scheme, QuantizationPlan& plan) {
  // Clipping loses more than 16 bits gain.
  const RangeChoice choice = scheme.activations.bits > 8 ? RangeChoice() : scheme.range;
  for (ir::ValueId point : layers.points) {
    const auto seen = observations.ranges.find(point);
    const ValueRange range = seen == observations.ranges.end()
                                 ? ValueRange()
                                 : seen->second.Choose(choice, LevelsOf(scheme.activations));
    plan.own_scales[point] = ScaleOf(range, scheme.activations);
  }
  SetScales(plan);
}

void PlanWeights(const FloatNetwork& network, const QuantizedLayer& layer, const ir::Call& call,
                 const Observations& observations, const QuantizationScheme& scheme,
                 QuantizationPlan& plan) {
  const ir::Constant& weights = network.module.constants[*call.args[1].As<ir::ConstantId>()];
  QuantizedWeights& quantized = plan.weights[layer.core];
  ScaleGroups groups = GroupsOf(layer, weights, scheme.block);
  std::vector<double> least;
  if (!scheme.weights_only() && groups.block == 0) {
    const auto input = static_cast<double>(plan.scales.at(layer.inputs[0]).scale);
    least = LeastScales(network.module, layer, weights, input);
  }
  quantized = QuantizeWeights(weights, std::move(groups), scheme.weight_bits, least);
  const auto moments = observations.moments.find(layer.core);
  if (moments == observations.moments.end()) return;
  if (scheme.adapt_rounding) AdaptRounding(weights, moments->second, quantized);
  if (!scheme.correct_bias || !layer.bias) return;
  std::vector<float> bias = FloatsOf(network.module.constants[*layer.bias]);
  const std::vector<double> errors = MeanErrors(weights, moments->second, quantized);
  bias.resize(errors.size(), bias.empty() ? 0 : bias[0]);
  for (size_t c = 0; c < bias.size(); ++c) bias[c] -= static_cast<float>(errors[c]);
  plan.biases[layer.core] = std::move(bias);
}

}  // namespace

QuantizationPlan RestrictPlan(const QuantizationPlan& plan, const NetworkLayers& layers) {
  QuantizationPlan part = plan;
  part.network = layers;
  if (!plan.activations.is_floating()) SetScales(part);
  return part;
}

QuantizationPlan PlanQuantization(const FloatNetwork& network, const NetworkLayers& layers,
                                  const Observations& observations,
                                  const QuantizationScheme& scheme) {
  QuantizationPlan plan;
  plan.network = layers;
  plan.activations = scheme.activations;
  plan.weight_bits = scheme.weight_bits;
  if (!scheme.weights_only()) SetOwnScales(layers, observations, scheme, plan);
  const auto calls = CallsOf(network);
  for (const QuantizedLayer& layer : layers.layers) {
    if (layer.kind != LayerKind::kProduct) continue;
    const ir::Call& call = *calls.at(layer.core);
    PlanWeights(network, layer, call, observations, scheme, plan);
  }
  return plan;
}

}  // namespace lathe::transform
