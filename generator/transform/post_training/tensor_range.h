// Observes the values of a tensor over calibration samples, and chooses the range that integers
// represent.
#ifndef LATHE_TRANSFORM_POST_TRAINING_TENSOR_RANGE_H_
#define LATHE_TRANSFORM_POST_TRAINING_TENSOR_RANGE_H_

#include <cstdint>
#include <vector>

#include "generator/interp/data/tensor.h"
#include "generator/ir/dtype.h"

namespace lathe::transform {

enum class RangeMethod {
  kMinMax,        // every observed value
  kPercentile,    // all but a fraction of the lowest and of the highest values
  kEntropy,       // the least divergence of the distribution after quantization
  kSquaredError,  // the least mean squared error
};

struct RangeChoice {
  RangeMethod method = RangeMethod::kMinMax;
  double percentile = 99.99;
};

struct ValueRange {
  double low = 0;
  double high = 0;
};

// Counts values in a histogram over [-limit, limit], whose limit doubles as larger values arrive.
class TensorRange {
 public:
  static constexpr size_t kBins = 4096;

  void Add(const interp::Tensor& tensor);
  bool is_finite() const { return finite_; }
  uint64_t count() const { return count_; }
  ValueRange observed() const { return {low_, high_}; }
  // Returns the chosen range for integers of `levels` values. It contains 0.
  ValueRange Choose(const RangeChoice& choice, int64_t levels) const;
  // Returns the numbers of values in `bins` equal parts of the observed range, for reports.
  std::vector<uint64_t> Histogram(size_t bins) const;

 private:
  double Center(size_t bin) const {
    return (static_cast<double>(bin) + 0.5) / (kBins / 2) * limit_ - limit_;
  }
  void Widen(double magnitude);
  ValueRange Percentile(double percentile) const;
  ValueRange LeastEntropy(int64_t levels) const;
  ValueRange LeastSquaredError(int64_t levels) const;
  struct Bin {
    double center = 0, count = 0;
  };
  static double SquaredError(const std::vector<Bin>& bins, const ValueRange& range, int64_t levels);

  std::vector<uint64_t> bins_;
  double limit_ = 0;
  double low_ = 0, high_ = 0;
  uint64_t zeros_ = 0;  // exact zeros, which have no error; they are in no bin
  uint64_t count_ = 0;
  bool finite_ = true;
};

// real = (integer - zero) * scale
struct AffineScale {
  float scale = 1;
  int64_t zero = 0;
};

// Returns the scale of integers of `dtype` for the range: symmetric for int16, asymmetric for other
// dtypes.
AffineScale ScaleOf(const ValueRange& range, ir::DType dtype);
// Return the least and greatest integer that quantization uses.
int64_t LowestInteger(ir::DType dtype);
int64_t HighestInteger(ir::DType dtype);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_TENSOR_RANGE_H_
