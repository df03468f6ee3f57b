#include "tests/reference/norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lathe::reference {

Moments MomentsWhere(const Array& x, const std::function<bool(const Shape&)>& counts) {
  std::vector<double> chosen;
  ForEach(x.shape, [&](const Shape& at) {
    if (counts(at)) chosen.push_back(x[at]);
  });
  const double count = static_cast<double>(chosen.size());
  Moments m = {0, 0, 0};
  for (double value : chosen) m.mean += value;
  m.mean /= count;
  for (double value : chosen) {
    m.variance += (value - m.mean) * (value - m.mean);
    m.square += value * value;
  }
  m.variance /= count;
  m.square /= count;
  return m;
}

bool SameBeside(const Shape& a, const Shape& b, const Shape& axes) {
  for (size_t i = 0; i < a.size(); ++i) {
    const bool free = std::count(axes.begin(), axes.end(), static_cast<int64_t>(i)) > 0;
    if (!free && a[i] != b[i]) return false;
  }
  return true;
}

Shape At(const Shape& index, const Shape& axes) {
  Shape out;
  for (int64_t axis : axes) out.push_back(index[static_cast<size_t>(axis)]);
  return out;
}

Array LayerNorm(const Array& x, const Array& gamma, const Array& beta, const Shape& axes,
                double epsilon) {
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    const Moments m =
        MomentsWhere(x, [&](const Shape& other) { return SameBeside(at, other, axes); });
    const double normal = (x[at] - m.mean) / std::sqrt(m.variance + epsilon);
    out[at] = normal * gamma[At(at, axes)] + beta[At(at, axes)];
  });
  return out;
}

Array RmsNorm(const Array& x, const Array& weight, const Shape& axes, double epsilon) {
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    const Moments m =
        MomentsWhere(x, [&](const Shape& other) { return SameBeside(at, other, axes); });
    out[at] = x[at] / std::sqrt(m.square + epsilon) * weight[At(at, axes)];
  });
  return out;
}

Array GroupNorm(const Array& x, const Array& gamma, const Array& beta, int64_t channel,
                const Shape& axes, int64_t groups, double epsilon) {
  const size_t c = static_cast<size_t>(channel);
  const int64_t each = x.shape[c] / groups;
  Shape all = axes;
  all.push_back(channel);
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    const Moments m = MomentsWhere(x, [&](const Shape& other) {
      return at[c] / each == other[c] / each && SameBeside(at, other, all);
    });
    const double normal = (x[at] - m.mean) / std::sqrt(m.variance + epsilon);
    out[at] = normal * gamma[{at[c]}] + beta[{at[c]}];
  });
  return out;
}

Array BatchNorm(const Array& x, const Array& gamma, const Array& beta, const Array& mean,
                const Array& variance, int64_t channel, double epsilon) {
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    const Shape c = {at[static_cast<size_t>(channel)]};
    out[at] = (x[at] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] + beta[c];
  });
  return out;
}

Array LogSoftmax(const Array& x, int64_t axis) {
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    Shape other = at;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    const int64_t length = x.shape[static_cast<size_t>(axis)];
    int64_t& k = other[static_cast<size_t>(axis)];
    for (k = 0; k < length; ++k) largest = std::max(largest, x[other]);
    for (k = 0; k < length; ++k) sum += std::exp(x[other] - largest);
    out[at] = x[at] - largest - std::log(sum);
  });
  return out;
}

Array Softmax(const Array& x, int64_t axis) {
  Array out = LogSoftmax(x, axis);
  for (double& value : out.data) value = std::exp(value);
  return out;
}

double Activation(const std::string& name, double x) {
  if (name == "relu") return std::max(x, 0.0);
  if (name == "gelu") return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
  if (name == "gelu_tanh") {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * std::pow(x, 3))));
  }
  if (name == "silu") return x / (1 + std::exp(-x));
  if (name == "selu") {
    return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace lathe::reference
