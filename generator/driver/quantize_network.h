// Quantizes a float network after training: prepares the graph, calibrates, and chooses the layers
// that stay in float32.
#ifndef LATHE_DRIVER_QUANTIZE_NETWORK_H_
#define LATHE_DRIVER_QUANTIZE_NETWORK_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/calibration_data.h"
#include "generator/transform/post_training/compare_layers.h"
#include "generator/transform/post_training/plan_quantization.h"

namespace lathe::driver {

enum class LossMetric {
  kMse,     // the share of the squared error in the squares of the outputs
  kCosine,  // one minus the cosine of float and quantized outputs
  kTop1,    // the share of samples whose class is lost: by labels, or by the float network's choice
};

struct QuantizeRequest {
  transform::QuantizationScheme scheme;
  std::vector<std::string> keep;   // names of layers
  std::optional<double> max_loss;  // a share; nullopt keeps no further layers
  LossMetric metric = LossMetric::kMse;
};

struct LayerResult {
  std::string name, op;
  bool quantized = true;
  bool moves = false;  // elements only change places
  transform::ValueRange range;
  transform::AffineScale scale;
  double sqnr = 0;
  std::vector<uint64_t> bars;  // the histogram of the observed range
};

struct QuantizeResult {
  ir::Module module;
  std::vector<LayerResult> layers;
  transform::Comparison comparison;
  double loss = 0;
  size_t samples = 0;
  bool has_labels = false;
};

// `module` is the loaded program; its function main, or its only exported function, is quantized.
// Fails after adding a diagnostic; a wrong --keep is an InvalidArgument error.
absl::StatusOr<QuantizeResult> QuantizeNetwork(ir::Context& context, const ir::Module& module,
                                               ir::GlobalId function, const CalibrationData& data,
                                               const QuantizeRequest& request, Diagnostics& diags,
                                               const transform::SayProgress& say);

// Inlines functions, folds constants and batch normalizations.
absl::Status PrepareForQuantization(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_QUANTIZE_NETWORK_H_
