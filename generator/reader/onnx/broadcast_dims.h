// Computes the dimensions of two broadcast tensors.
#ifndef LATHE_READER_ONNX_BROADCAST_DIMS_H_
#define LATHE_READER_ONNX_BROADCAST_DIMS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns the dimensions that `a` and `b` broadcast to. Where neither size is a constant 1, that of
// `a` is taken; the caller checks that the sizes are compatible.
inline Dims Broadcast(NodeCall& n, Dims a, Dims b) {
  while (a.size() < b.size()) a.insert(a.begin(), n.ir().Int(1));
  while (b.size() < a.size()) b.insert(b.begin(), n.ir().Int(1));
  for (size_t i = 0; i < a.size(); ++i) {
    if (NodeCall::IntOf(a[i]) == 1) a[i] = b[i];
  }
  return a;
}

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_BROADCAST_DIMS_H_
