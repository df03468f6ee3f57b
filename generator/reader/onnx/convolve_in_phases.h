// Decomposes transposed convolutions into convolutions. With stride s, every s-th element of the
// result is a convolution of the image with a subset of the kernel's taps (a phase).
#ifndef LATHE_READER_ONNX_CONVOLVE_IN_PHASES_H_
#define LATHE_READER_ONNX_CONVOLVE_IN_PHASES_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/windows.h"

namespace lathe::onnx {

// Emits the transposed convolution to a result of the size `out`. Returns nothing unless the image
// is float32 with two spatial dimensions, the kernel constant, and the convolution has one group,
// no dilation and no negative padding. Returns nothing also if padded taps would more than double
// the work.
std::optional<Operand> ConvolveInPhases(NodeCall& n, const Windows& windows, const Dims& out);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CONVOLVE_IN_PHASES_H_
