// Results as long as the run finds.
#ifndef LATHE_READER_ONNX_RUN_TIME_LENGTH_H_
#define LATHE_READER_ONNX_RUN_TIME_LENGTH_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Ends `x` after `count` along `axis`. A run where there are fewer ends with LATHE_E_SHAPE.
Operand FirstAlong(NodeCall& n, const Operand& x, int axis, PrimRef count);

// The one integer of `count`, as a size that the run finds.
PrimRef FoundLength(NodeCall& n, const Operand& count);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_LENGTH_H_
