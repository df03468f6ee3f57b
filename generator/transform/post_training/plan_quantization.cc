#include "generator/transform/post_training/plan_quantization.h"

#include "generator/ir/each_body.h"

namespace lathe::transform {
namespace {

// Levels of the histograms' search; 16 bits are finer than a histogram.
int64_t LevelsOf(ir::DType dtype) { return HighestInteger(dtype) - LowestInteger(dtype) + 1; }

constexpr int kWeightBits = 8;

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
    const auto seen = observations.find(source == layers.moved_from.end() ? point : source->second);
    const ValueRange range = seen == observations.end()
                                 ? ValueRange()
                                 : seen->second.range.Choose(choice, LevelsOf(scheme.activations));
    plan.scales[point] = ScaleOf(range, scheme.activations);
  }
  absl::flat_hash_map<ir::ValueId, const ir::Call*> calls;
  const ir::Function& function = *network.module.globals[network.function].function();
  ForEachBinding(function.body, [&](const ir::Block&, const ir::Binding& binding) {
    if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) calls[binding.var] = call;
  });
  for (const QuantizedLayer& layer : layers.layers) {
    if (layer.kind != LayerKind::kProduct) continue;
    const ir::Call& call = *calls.at(layer.core);
    const ir::Constant& weights = network.module.constants[*call.args[1].As<ir::ConstantId>()];
    plan.weights[layer.core] = QuantizeWeights(weights, layer.axes.weights, kWeightBits);
  }
  return plan;
}

}  // namespace lathe::transform
