// Operators whose axes are inputs of the model: which elements come together shows when it runs.
#ifndef LATHE_READER_ONNX_RUN_TIME_AXES_H_
#define LATHE_READER_ONNX_RUN_TIME_AXES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// A Reduce... of `x` over the axes in the tensor `axes`; the result has the declared shape.
absl::StatusOr<Results> ReduceAtRunTime(NodeCall& n, const Operand& x, const Operand& axes);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_AXES_H_
