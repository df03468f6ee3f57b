// Observes the ranges of the tensors of a float network on calibration samples.
#ifndef LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_
#define LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_

#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/transform/post_training/input_moments.h"
#include "generator/transform/post_training/quantized_layers.h"
#include "generator/transform/post_training/run_samples.h"
#include "generator/transform/post_training/tensor_range.h"

namespace lathe::transform {

// A float network with one graph, the function.
struct FloatNetwork {
  ir::Context& ir;
  const ir::Module& module;
  ir::GlobalId function;
};

using SayProgress = std::function<void(absl::string_view)>;

// What calibration learns of a network.
struct Observations {
  absl::flat_hash_map<ir::ValueId, TensorRange> ranges;    // of the points
  absl::flat_hash_map<ir::ValueId, InputMoments> moments;  // of products, by their core
};

// Fails after adding a diagnostic if a run fails.
// `with_moments` collects the moments of the inputs of products too, which takes longer.
absl::StatusOr<Observations> Calibrate(const FloatNetwork& network, const NetworkLayers& layers,
                                       const std::vector<Sample>& samples, bool with_moments,
                                       Diagnostics& diags, const SayProgress& say);

// The calls of the function by the values that they compute.
absl::flat_hash_map<ir::ValueId, const ir::Call*> CallsOf(const FloatNetwork& network);

// Says "calibrating: 20 of 100 samples" after each tenth of a long list.
void SayTenths(const SayProgress& say, absl::string_view what, size_t done, size_t total);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_
