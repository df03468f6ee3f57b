// Quantizes constant weights to symmetric integers with one scale per channel.
#ifndef LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_
#define LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::transform {

struct QuantizedWeights {
  std::vector<int64_t> integers;  // in the order of the constant
  std::vector<float> scales;      // one for each position of the axis
};

// Chooses for each channel, among 40 candidates, the scale of the least squared error. A scale that
// is less than that in `least_scales`, if it is not empty, is replaced by that. Integers of `bits`
// bits are symmetric: the lowest one is not used.
QuantizedWeights QuantizeWeights(const ir::Constant& weights, int axis, int bits,
                                 const std::vector<double>& least_scales = {});

// Returns the channel of each element of a tensor of `shape`: its position along `axis`.
std::vector<size_t> ChannelsOf(const std::vector<int64_t>& shape, int axis);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_
