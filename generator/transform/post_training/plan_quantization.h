// Chooses the scales of the tensors of a network and quantizes its weights.
#ifndef LATHE_TRANSFORM_POST_TRAINING_PLAN_QUANTIZATION_H_
#define LATHE_TRANSFORM_POST_TRAINING_PLAN_QUANTIZATION_H_

#include "generator/transform/post_training/calibrate.h"
#include "generator/transform/post_training/insert_quantization.h"

namespace lathe::transform {

struct QuantizationScheme {
  ir::DType activations = ir::DType::Int(8);  // float32: only weights become integers
  RangeChoice range;
  int weight_bits = 8;
  // Elements of a channel that share a scale; 0: all of a channel.
  int64_t block = 0;
  // Both need Observations::moments.
  bool adapt_rounding = false;
  bool correct_bias = false;

  bool needs_moments() const { return adapt_rounding || correct_bias; }
  bool weights_only() const { return activations.is_floating(); }
};

// Returns the plan for `layers` from what Calibrate observed. A point without an observed range
// gets scale 1. Activations of more than 8 bits always use the whole observed range.
QuantizationPlan PlanQuantization(const FloatNetwork& network, const NetworkLayers& layers,
                                  const Observations& observations,
                                  const QuantizationScheme& scheme);

// Returns `plan` restricted to `layers`. Other layers stay in float32.
QuantizationPlan RestrictPlan(const QuantizationPlan& plan, const NetworkLayers& layers);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_PLAN_QUANTIZATION_H_
