// Compares the tensors of a quantized network with those of the float network, sample by sample.
#ifndef LATHE_TRANSFORM_POST_TRAINING_COMPARE_LAYERS_H_
#define LATHE_TRANSFORM_POST_TRAINING_COMPARE_LAYERS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/transform/post_training/calibrate.h"

namespace lathe::transform {

// Measures the deviation of a tensor by sums over all elements and samples.
struct Deviation {
  double signal = 0;  // squares of the float values
  double noise = 0;   // squares of the differences
  double product = 0;
  double quantized = 0;  // squares of the quantized values

  void Add(const interp::Tensor& real, const interp::Tensor& quantized);
  double sqnr() const;    // in decibels; kExactSqnr for no noise
  double cosine() const;  // 1 for equal directions
  double share() const { return signal == 0 ? 0 : noise / signal; }
};
// The signal-to-noise ratio of tensors without any difference.
inline constexpr double kExactSqnr = 200;

struct Comparison {
  absl::flat_hash_map<ir::ValueId, Deviation> points;
  Deviation outputs;
  // Samples for which the largest element of the first output has the same index in both networks,
  // and those for which its index is the label.
  uint64_t agreeing = 0, float_correct = 0, quantized_correct = 0;
  uint64_t samples = 0;
};

// The quantized version of a network, with the dequantized value of each point.
struct QuantizedNetwork {
  const ir::Module& module;
  const absl::flat_hash_map<ir::ValueId, ir::ValueId>& dequantized;
};

// Compares the layers on each sample. `labels` has the class of each sample, or is empty. Fails
// after adding a diagnostic if a run fails.
absl::StatusOr<Comparison> CompareLayers(const FloatNetwork& real,
                                         const QuantizedNetwork& quantized,
                                         const std::vector<Sample>& samples,
                                         const std::vector<int64_t>& labels, Diagnostics& diags,
                                         const ProgressCallback& report);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_COMPARE_LAYERS_H_
