// Transposed convolutions as convolutions: with a stride of s, each s-th element of the result is a
// convolution of the image with its own taps of the kernel.
#ifndef LATHE_READER_ONNX_PHASES_H_
#define LATHE_READER_ONNX_PHASES_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/windows.h"

namespace lathe::onnx {

// The transposed convolution of images of floats with a constant kernel in one group without gaps,
// to a result of `out`; nothing for others.
std::optional<Operand> ConvolveInPhases(NodeCall& n, const Windows& windows, const Dims& out);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PHASES_H_
