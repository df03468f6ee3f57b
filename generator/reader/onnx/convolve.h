// The convolution that Conv and its quantised relatives share.
#ifndef LATHE_READER_ONNX_CONVOLVE_H_
#define LATHE_READER_ONNX_CONVOLVE_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Of an image with a kernel, as the attributes of the node say. Integers are of one dtype.
absl::StatusOr<Operand> Convolve(NodeCall& n, Operand x, Operand w);

// A value for each channel beside an image of that rank.
Operand PerChannel(NodeCall& n, const Operand& v, size_t rank);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CONVOLVE_H_
