// Pooling over any number of axes of [N, C, ...], as ONNX and PyTorch define it.
#ifndef LATHE_TESTS_REFERENCE_POOL_H_
#define LATHE_TESTS_REFERENCE_POOL_H_

#include <functional>
#include <optional>

#include "tests/reference/array.h"

namespace lathe::reference {

struct PoolNumbers {
  Shape size, strides, dilation;
  Shape padding;  // before each axis, then after each
  bool ceil = false;
};

// The shape of the result.
Shape Pooled(const Shape& x, const PoolNumbers& n);

// Visits each element of each window: the window, its offset and the element, or no element where
// that is padding.
void ForEachMet(const Shape& x, const PoolNumbers& n,
                const std::function<void(const Shape& window, const Shape& offset,
                                         const std::optional<Shape>& element)>& visit);

// `lowest` is what a window of padding alone gives.
Array MaxPool(const Array& x, const PoolNumbers& n, double lowest);
// With `all`, padding counts as elements of 0; else a window of padding alone gives 0.
Array AveragePool(const Array& x, const PoolNumbers& n, bool all);
// Window i of n is [floor(i * length / n), ceil((i + 1) * length / n)).
Array AdaptiveAveragePool(const Array& x, const Shape& size);

// What comes back to each element of x when `g` came to each window: to its first largest element,
// to each of those that the average counts.
Array MaxPoolGradient(const Array& g, const Array& x, const PoolNumbers& n);
Array AveragePoolGradient(const Array& g, const Array& x, const PoolNumbers& n, bool all);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_POOL_H_
