// Implements post-training quantization of a float network: prepares the graph, calibrates, and
// chooses the layers that stay in float32.
#ifndef LATHE_DRIVER_QUANTIZE_NETWORK_H_
#define LATHE_DRIVER_QUANTIZE_NETWORK_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/calibration_data.h"
#include "generator/driver/layer_weights.h"
#include "generator/driver/loss_metric.h"
#include "generator/driver/measure_memory.h"
#include "generator/transform/post_training/compare_layers.h"
#include "generator/transform/post_training/plan_quantization.h"

namespace lathe::driver {

struct NetworkSamples {
  CalibrationData calibration;
  CalibrationData labelled;  // of --metric FILE

  // Returns the samples on which networks are compared.
  const CalibrationData& compared() const {
    return labelled.samples.empty() ? calibration : labelled;
  }
};

struct QuantizeRequest {
  transform::QuantizationScheme scheme;
  bool equalize = false;           // channels between consecutive products
  std::vector<std::string> keep;   // names of layers that stay in float32
  std::optional<double> max_loss;  // a fraction from 0 to 1; nullopt: no limit
  LossMetric metric = LossMetric::kMse;
  // With limits, only as many layers are quantized as the compiled model needs to stay within them.
  MemoryLimits limits;
};

struct LayerResult {
  std::string name, op;
  bool quantized = true;
  bool moves = false;  // the layer only moves elements
  transform::ValueRange range;
  transform::AffineScale scale;
  double sqnr = 0;                  // in decibels
  std::vector<uint64_t> histogram;  // of the observed range
  std::optional<LayerWeights> weights;
};

struct QuantizeResult {
  ir::Module module;
  std::vector<LayerResult> layers;
  transform::Comparison comparison;
  double loss = 0;
  size_t samples = 0;   // of calibration
  size_t compared = 0;  // of the comparison
  bool has_labels = false;
  std::optional<MemoryNeed> memory;  // if there are limits
};

// Quantizes `function` of `module`, which PrepareForQuantization has prepared. Fails after adding a
// diagnostic, or with InvalidArgument if request.keep names an unknown layer.
absl::StatusOr<QuantizeResult> QuantizeNetwork(ir::Context& context, const ir::Module& module,
                                               ir::GlobalId function, const NetworkSamples& data,
                                               const QuantizeRequest& request, Diagnostics& diags,
                                               const transform::ProgressCallback& report);

// Inlines private functions, canonicalizes bindings, folds constants, moves channels first, folds
// affine operators such as batch normalizations into products, and removes unused bindings.
absl::Status PrepareForQuantization(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_QUANTIZE_NETWORK_H_
