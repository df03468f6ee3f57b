// Computes the distribution of the values of a constant.
#ifndef LATHE_DRIVER_VIEW_WEIGHT_HISTOGRAM_H_
#define LATHE_DRIVER_VIEW_WEIGHT_HISTOGRAM_H_

#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::driver {

// Counts and bounds of the finite values that were read.
struct WeightHistogram {
  int64_t elements = 0;    // of the constant
  int64_t read = 0;        // at equal distances; all of them up to kMaxReadElements
  int64_t zeros = 0;       // among those read
  int64_t not_finite = 0;  // NaN and infinities, among those read
  double least = 0, most = 0, mean = 0, deviation = 0;
  std::vector<int64_t> bins;  // of equal width from `least` to `most`; empty without finite values
};

// The maximum number of values that are read, so that the time is bounded.
inline constexpr int64_t kMaxReadElements = int64_t{1} << 20;
inline constexpr int kHistogramBins = 32;

WeightHistogram HistogramOf(const ir::Constant& constant);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_WEIGHT_HISTOGRAM_H_
