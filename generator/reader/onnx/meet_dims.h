// Sizes that meet where two tensors are broadcast together. The first n of 512 places are min(n,
// 512) of them, which goes together with n others only where both are n.
#ifndef LATHE_READER_ONNX_MEET_DIMS_H_
#define LATHE_READER_ONNX_MEET_DIMS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Makes n of each dimension min(n, k), k of 2 or more, of `a` or `b` that meets n in the other, and
// one of two variables that are bounded to 2 or more: that they are equal is checked when it runs.
void MeetDims(NodeCall& n, Operand& a, Operand& b);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_MEET_DIMS_H_
