// Builds elementwise maxima and minima that are NaN where an operand is, as those of NumPy.
//
//   R.maximum(a, b)                a constant without NaN is the first operand, since a NaN in
//                                  either one gives the second
//   R.where(R.isnan(a), a, R.maximum(a, b))        otherwise
#ifndef LATHE_READER_ONNX_EXTREMES_H_
#define LATHE_READER_ONNX_EXTREMES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// `op`: relax.maximum or relax.minimum.
Operand Extreme(NodeCall& n, const char* op, const Operand& a, const Operand& b);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_EXTREMES_H_
