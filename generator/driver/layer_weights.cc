#include "generator/driver/layer_weights.h"

#include "generator/transform/post_training/compare_layers.h"
#include "generator/transform/post_training/constant_values.h"

namespace lathe::driver {

LayerWeights WeightsResult(const transform::FloatNetwork& network,
                           const transform::QuantizedLayer& layer,
                           const transform::QuantizedWeights& weights) {
  const ir::Call& call = *CallsOf(network).at(layer.core);
  const ir::Constant& real = network.module.constants[*call.args[1].As<ir::ConstantId>()];
  LayerWeights out;
  out.shape = real.shape;
  out.bits = weights.bits;
  out.block = weights.groups.block;
  const std::vector<float> values = transform::FloatsOf(real);
  out.float_bytes = values.size() * sizeof(float);
  out.bytes = ir::StorageBytes(ir::DType::Int(weights.bits), values.size()) +
              weights.scales.size() * sizeof(float);
  transform::Deviation deviation;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]), off = weights.ValueAt(i) - value;
    deviation.signal += value * value;
    deviation.noise += off * off;
  }
  out.sqnr = deviation.sqnr();
  return out;
}

}  // namespace lathe::driver
