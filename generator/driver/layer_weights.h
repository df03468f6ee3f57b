// Describes the quantized weights of a layer for reports.
#ifndef LATHE_DRIVER_LAYER_WEIGHTS_H_
#define LATHE_DRIVER_LAYER_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "generator/transform/post_training/calibrate.h"
#include "generator/transform/post_training/quantize_weights.h"

namespace lathe::driver {

// The quantized weights of a convolution or matrix product.
struct LayerWeights {
  std::vector<int64_t> shape;
  int bits = 8;
  int64_t block = 0;                    // elements that share a scale; 0: a channel
  uint64_t bytes = 0, float_bytes = 0;  // of integers and scales; in float32
  double sqnr = 0;                      // of the weights, in decibels
};

// Returns the bytes of the weights of a convolution or matrix product, and the deviation of their
// values.
LayerWeights WeightsResult(const transform::FloatNetwork& network,
                           const transform::QuantizedLayer& layer,
                           const transform::QuantizedWeights& weights);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LAYER_WEIGHTS_H_
