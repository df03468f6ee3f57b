// Writes the sum of a convolution or matrix product and a bias as one node: Conv with three inputs,
// or Gemm. Runtimes choose integer kernels for these forms only.
#ifndef LATHE_WRITER_ONNX_FUSE_BIAS_H_
#define LATHE_WRITER_ONNX_FUSE_BIAS_H_

#include <optional>

#include "generator/writer/onnx/call_writer.h"

namespace lathe::onnx {

// Writes a call of R.add as such a node and removes the node of the product. Returns nullopt if the
// sum is not of that form or not float32, or if the product has other uses.
std::optional<Written> FuseBias(CallWriter& w);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_FUSE_BIAS_H_
