// Inserts R.quantize and R.dequantize into a float network, so that its layers are computed in
// integers.
//
//                                   q = R.quantize(x, scale, zero)
//   y = R.nn.conv2d(x, w)     →     y = R.nn.conv2d(R.dequantize(q, ...), R.dequantize(w8, ...))
//
// Weights become int8 or int4 constants with a scale per channel, biases int32 constants. A bias
// with an element outside int32 stays float32, and so does that of weights with a scale per block.
#ifndef LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_
#define LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/post_training/quantize_weights.h"
#include "generator/transform/post_training/quantized_layers.h"
#include "generator/transform/post_training/tensor_range.h"

namespace lathe::transform {

// quantized_layers.h defines points (tensors to quantize), moves and cores.
struct QuantizationPlan {
  NetworkLayers network;
  ir::DType activations = ir::DType::Int(8);
  int weight_bits = 8;
  // Scale of each point, from its own range.
  absl::flat_hash_map<ir::ValueId, AffineScale> own_scales;
  // Scale of each point after the rule that the result of a move has the scale of its input.
  absl::flat_hash_map<ir::ValueId, AffineScale> scales;
  // Quantized weights, keyed by the result of the convolution or matrix product.
  absl::flat_hash_map<ir::ValueId, QuantizedWeights> weights;
  // Corrected biases, one element per channel, keyed like the weights.
  absl::flat_hash_map<ir::ValueId, std::vector<float>> biases;
};

// Inserts the operators into `function`. Ids of values stay valid. Call RederiveInfo afterwards:
// new values have no info. Returns the dequantized value of each point.
absl::StatusOr<absl::flat_hash_map<ir::ValueId, ir::ValueId>> InsertQuantization(
    const QuantizationPlan& plan, ir::GlobalId function, ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_
