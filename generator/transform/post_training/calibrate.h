// Observes the ranges of the tensors of a float network on calibration samples.
#ifndef LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_
#define LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_

#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/transform/post_training/input_moments.h"
#include "generator/transform/post_training/quantized_layers.h"
#include "generator/transform/post_training/sample_runner.h"
#include "generator/transform/post_training/tensor_range.h"

namespace lathe::transform {

struct FloatNetwork {
  ir::Context& ir;
  const ir::Module& module;
  ir::GlobalId function;
};

using ProgressCallback = std::function<void(absl::string_view)>;

struct Observations {
  // Range of each tensor to quantize (NetworkLayers::points).
  absl::flat_hash_map<ir::ValueId, TensorRange> ranges;
  // Moments of the inputs, keyed by the result of the convolution or matrix product.
  absl::flat_hash_map<ir::ValueId, InputMoments> moments;
};

// Runs the network on each sample. With `with_moments`, also collects the moments, which takes
// longer. Fails after adding a diagnostic if a run fails or if a tensor of `finite` has values that
// are not finite. Other tensors with such values get no range.
absl::StatusOr<Observations> Calibrate(const FloatNetwork& network, const NetworkLayers& layers,
                                       const std::vector<ir::ValueId>& finite,
                                       const std::vector<Sample>& samples, bool with_moments,
                                       Diagnostics& diags, const ProgressCallback& report);

// Returns the calls of the function, keyed by the values that they compute.
absl::flat_hash_map<ir::ValueId, const ir::Call*> CallsOf(const FloatNetwork& network);

// Reports "calibrating: 20 of 100 samples" after each tenth of 20 or more samples.
void ReportTenths(const ProgressCallback& report, absl::string_view what, size_t done,
                  size_t total);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_CALIBRATE_H_
