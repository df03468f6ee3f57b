// Convolutions over any number of axes, as ONNX (Conv, ConvTranspose) and PyTorch define them.
#ifndef LATHE_TESTS_REFERENCE_CONV_H_
#define LATHE_TESTS_REFERENCE_CONV_H_

#include "tests/reference/array.h"

namespace lathe::reference {

struct ConvNumbers {
  Shape strides, dilation;
  Shape padding;         // before each axis, then after each
  Shape output_padding;  // of the transpose
  int64_t groups = 1;
};

// x is [N, C, ...], w is [O, C / groups, ...].
Array Conv(const Array& x, const Array& w, const ConvNumbers& n);
// x is [N, C, ...], w is [C, O / groups, ...]; each element of x is spread over the result.
Array ConvTranspose(const Array& x, const Array& w, const ConvNumbers& n);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_CONV_H_
