// Truncates results to a length that is known only at run time.
#ifndef LATHE_READER_ONNX_RUN_TIME_LENGTH_H_
#define LATHE_READER_ONNX_RUN_TIME_LENGTH_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Keeps the first `count` elements of `x` along `axis`. The run fails with LATHE_E_SHAPE if there
// are fewer.
Operand FirstAlong(NodeCall& n, const Operand& x, int axis, PrimRef count);

// Returns the only integer of `count` as a new shape variable.
PrimRef FoundLength(NodeCall& n, const Operand& count);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_LENGTH_H_
