// Emits the convolution that Conv and its quantized variants share.
#ifndef LATHE_READER_ONNX_CONVOLVE_H_
#define LATHE_READER_ONNX_CONVOLVE_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Convolves an image with a kernel according to the attributes of the node. Integer operands have
// equal dtypes.
absl::StatusOr<Operand> Convolve(NodeCall& n, Operand x, Operand w);

// Reshapes a value per channel so that it broadcasts with an image of that rank.
Operand PerChannel(NodeCall& n, const Operand& v, size_t rank);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CONVOLVE_H_
