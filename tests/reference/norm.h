// Normalisations, softmax and activations, as PyTorch and ONNX define them.
#ifndef LATHE_TESTS_REFERENCE_NORM_H_
#define LATHE_TESTS_REFERENCE_NORM_H_

#include <functional>
#include <string>

#include "tests/reference/array.h"

namespace lathe::reference {

// The mean, the variance (divided by the count) and the mean of the squares of some elements.
struct Moments {
  double mean, variance, square;
};
// Of the elements at the indices for which `counts` says so.
Moments MomentsWhere(const Array& x, const std::function<bool(const Shape&)>& counts);

// Whether two indices are equal but for these axes.
bool SameBeside(const Shape& a, const Shape& b, const Shape& axes);
// The parts of an index at these axes.
Shape At(const Shape& index, const Shape& axes);

// (x - mean) / sqrt(variance + epsilon) over the axes, times gamma plus beta, whose axes they are.
Array LayerNorm(const Array& x, const Array& gamma, const Array& beta, const Shape& axes,
                double epsilon);
// x / sqrt(mean of squares + epsilon) * weight.
Array RmsNorm(const Array& x, const Array& weight, const Shape& axes, double epsilon);
// Over the axes and the channels of each of so many groups; as many groups as channels are
// instance_norm.
Array GroupNorm(const Array& x, const Array& gamma, const Array& beta, int64_t channel,
                const Shape& axes, int64_t groups, double epsilon);
// With the given mean and variance of each channel.
Array BatchNorm(const Array& x, const Array& gamma, const Array& beta, const Array& mean,
                const Array& variance, int64_t channel, double epsilon);

// exp(x) over the sum of that along the axis, and its logarithm.
Array Softmax(const Array& x, int64_t axis);
Array LogSoftmax(const Array& x, int64_t axis);

// Of one element: "relu", "gelu", "gelu_tanh", "silu", "selu".
double Activation(const std::string& name, double x);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_NORM_H_
