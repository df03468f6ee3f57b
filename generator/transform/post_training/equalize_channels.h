// Moves scales between consecutive convolutions and matrix products, so that the channels of the
// tensor between them have similar ranges.
//
//   y = relu(conv(x, a)); z = conv(y, b)     →     y1 = relu(conv(x, a / s)); z = conv(y1, b * s)
//
// Integers of one scale then represent every channel of y1 precisely. The values of z are those
// before, up to the rounding of the scaled weights to float32.
#ifndef LATHE_TRANSFORM_POST_TRAINING_EQUALIZE_CHANNELS_H_
#define LATHE_TRANSFORM_POST_TRAINING_EQUALIZE_CHANNELS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/transform/post_training/calibrate.h"

namespace lathe::transform {

// Returns the module of `network` with equalized weights. Changes pairs of `layers` of which the
// second alone reads the result of the first, directly or after R.nn.relu. Ids of values stay
// valid. `samples` give the ranges of channels. Fails after adding a diagnostic if a run fails.
absl::StatusOr<ir::Module> EqualizeChannels(const FloatNetwork& network,
                                            const NetworkLayers& layers,
                                            const std::vector<Sample>& samples, Diagnostics& diags,
                                            const ProgressCallback& report);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_EQUALIZE_CHANNELS_H_
