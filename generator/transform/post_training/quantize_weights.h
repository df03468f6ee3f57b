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

// Quantizes `weights` to integers of `bits` bits with one scale for each channel, a position along
// `axis`. Chooses among 40 candidates the scale of the least squared error; a channel of zeros has
// scale 1. `least_scales`, if not empty, has a lower bound of each scale. The integers are
// symmetric: the lowest one of `bits` bits is not used.
QuantizedWeights QuantizeWeights(const ir::Constant& weights, int axis, int bits,
                                 const std::vector<double>& least_scales = {});

// Returns the channel of each element of a tensor of `shape`: its position along `axis`.
std::vector<size_t> ChannelsOf(const std::vector<int64_t>& shape, int axis);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_
