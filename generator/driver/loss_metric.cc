#include "generator/driver/loss_metric.h"

#include <algorithm>
#include <cstdint>

namespace lathe::driver {

double LossOf(const transform::Comparison& c, LossMetric metric, bool has_labels) {
  switch (metric) {
    case LossMetric::kMse:
      return c.outputs.share();
    case LossMetric::kCosine:
      return 1 - c.outputs.cosine();
    case LossMetric::kTop1: {
      const auto samples = static_cast<double>(std::max<uint64_t>(c.samples, 1));
      if (!has_labels) return static_cast<double>(c.samples - c.agreeing) / samples;
      return (static_cast<double>(c.float_correct) - static_cast<double>(c.quantized_correct)) /
             samples;
    }
  }
  return 0;
}

}  // namespace lathe::driver
