// Measures what a network loses by quantization.
#ifndef LATHE_DRIVER_LOSS_METRIC_H_
#define LATHE_DRIVER_LOSS_METRIC_H_

#include "generator/transform/post_training/compare_layers.h"

namespace lathe::driver {

enum class LossMetric {
  kMse,     // sum of squared errors / sum of squared outputs
  kCosine,  // 1 - the cosine of float and quantized outputs
  // With labels, the accuracy of the float network minus that of the quantized one; otherwise the
  // fraction of samples that change their class.
  kTop1,
};

// Returns the loss of a comparison by `metric`. `has_labels`: its samples have classes.
double LossOf(const transform::Comparison& comparison, LossMetric metric, bool has_labels);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LOSS_METRIC_H_
