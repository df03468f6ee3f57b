// Imports reductions whose axes are known only at run time.
#ifndef LATHE_READER_ONNX_RUN_TIME_AXES_H_
#define LATHE_READER_ONNX_RUN_TIME_AXES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Emits a Reduce operator of `x` over the axes in the tensor `axes`. The result has the declared
// shape, which is checked at run time. Without one, it has new shape variables, and the number of
// axes must be constant.
absl::StatusOr<Results> ReduceAtRunTime(NodeCall& n, const Operand& x, const Operand& axes);

// Returns the float `v`, or 0 if it is infinite or NaN.
PrimRef FiniteOrZero(ScalarMath& m, PrimRef v);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_AXES_H_
