// Inserts R.quantize and R.dequantize into a float network, so that its layers are computed in
// integers.
//
//                                   q = R.quantize(x, scale, zero)
//   y = R.nn.conv2d(x, w)     →     y = R.nn.conv2d(R.dequantize(q, ...), R.dequantize(w8, ...))
//
// Weights become int8 constants with a scale per channel, biases int32 constants.
#ifndef LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_
#define LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/post_training/quantize_weights.h"
#include "generator/transform/post_training/quantized_layers.h"
#include "generator/transform/post_training/tensor_range.h"

namespace lathe::transform {

struct QuantizationPlan {
  NetworkLayers network;
  ir::DType activations = ir::DType::Int(8);
  absl::flat_hash_map<ir::ValueId, AffineScale> own_scales;    // of the points, by their own range
  absl::flat_hash_map<ir::ValueId, AffineScale> scales;        // of moves: that of their input
  absl::flat_hash_map<ir::ValueId, QuantizedWeights> weights;  // of products, by their core
  // Biases other than those of the network, one element per channel, by the core.
  absl::flat_hash_map<ir::ValueId, std::vector<float>> biases;
};

// The module changes in place; ids of values stay valid. Infos of new values are not derived yet.
// Returns the dequantized value of each point.
absl::flat_hash_map<ir::ValueId, ir::ValueId> InsertQuantization(const QuantizationPlan& plan,
                                                                 ir::GlobalId function,
                                                                 ir::Context& context,
                                                                 ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_INSERT_QUANTIZATION_H_
