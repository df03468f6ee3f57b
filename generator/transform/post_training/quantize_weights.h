// Quantizes constant weights to integers of which each channel, or each block of a channel, shares
// a scale.
#ifndef LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_
#define LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::transform {

// Assigns the elements of weights to scales.
struct ScaleGroups {
  std::vector<size_t> of;      // the scale of each element
  std::vector<int64_t> shape;  // of the scales
  int axis = 0;
  int64_t block = 0;  // positions along `axis` that share a scale; 0: a scale for each position
};

// Returns a group for each channel, a position along `axis`.
ScaleGroups ChannelGroups(const std::vector<int64_t>& shape, int axis);
// Returns groups of `block` positions along `axis`; the last block of an axis may be shorter.
ScaleGroups BlockGroups(const std::vector<int64_t>& shape, int axis, int64_t block);

struct QuantizedWeights {
  std::vector<int64_t> integers;  // in the order of the constant
  std::vector<float> scales;
  ScaleGroups groups;
  int bits = 8;

  double ValueAt(size_t i) const { return static_cast<double>(integers[i]) * ScaleAt(i); }
  double ScaleAt(size_t i) const { return static_cast<double>(scales[groups.of[i]]); }
};

// Returns the integer of `bits` bits whose product with `scale` is nearest to `value`. The lowest
// integer of 8 bits is not used, so that products of integers stay small.
double RoundToBits(double value, double scale, int bits);

// Quantizes `weights` to integers of `bits` bits. Chooses for each scale, among 40 candidates, the
// one of the least squared error; a group of zeros has scale 1. `least_scales`, if not empty, has a
// lower bound of each scale.
QuantizedWeights QuantizeWeights(const ir::Constant& weights, ScaleGroups groups, int bits,
                                 const std::vector<double>& least_scales = {});

// Returns the channel of each element of a tensor of `shape`: its position along `axis`.
std::vector<size_t> ChannelsOf(const std::vector<int64_t>& shape, int axis);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_QUANTIZE_WEIGHTS_H_
