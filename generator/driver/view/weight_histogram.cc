#include "generator/driver/view/weight_histogram.h"

#include <algorithm>
#include <cmath>

#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"

namespace lathe::driver {

WeightHistogram HistogramOf(const ir::Constant& constant) {
  WeightHistogram out;
  out.elements = std::max<int64_t>(constant.dtype.lanes, 1);
  for (int64_t dim : constant.shape) out.elements *= dim;
  if (constant.dtype.is_handle() || constant.dtype.is_void()) return out;
  const ir::DType dtype = constant.dtype.element();
  const int64_t stride = (out.elements + kMaxReadElements - 1) / kMaxReadElements;
  std::vector<double> values;
  double sum = 0;
  for (int64_t i = 0; i < out.elements; i += stride) {
    const interp::Bits bits =
        interp::ReadElement(constant.bytes->data(), dtype, static_cast<uint64_t>(i));
    const double value = interp::Scalar{dtype, bits}.AsDouble();
    ++out.read;
    if (!std::isfinite(value)) {
      ++out.not_finite;
      continue;
    }
    if (value == 0) ++out.zeros;
    sum += value;
    values.push_back(value);
  }
  if (values.empty()) return out;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  out.least = *least;
  out.most = *most;
  const double count = static_cast<double>(values.size());
  out.mean = sum / count;
  double squares = 0;
  out.bins.assign(kHistogramBins, 0);
  // Halves, because the width of the range of finite values may overflow.
  const double half_width = out.most / 2 - out.least / 2;
  for (double value : values) {
    squares += (value - out.mean) * (value - out.mean) / count;
    const double part = half_width > 0 ? (value / 2 - out.least / 2) / half_width : 0;
    const int bin = static_cast<int>(part * kHistogramBins);
    ++out.bins[static_cast<size_t>(std::clamp(bin, 0, kHistogramBins - 1))];
  }
  out.deviation = std::sqrt(squares);
  return out;
}

}  // namespace lathe::driver
