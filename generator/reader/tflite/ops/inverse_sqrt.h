// Emits 1 / sqrt(v) of int32 values, as InverseSqrtOf of fixed_point_functions.h, in statements.
#ifndef LATHE_READER_TFLITE_OPS_INVERSE_SQRT_H_
#define LATHE_READER_TFLITE_OPS_INVERSE_SQRT_H_

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

struct InverseSqrt {
  PrimRef mantissa, shift;
};
// Returns the inverse square root of `v`, which is not negative.
InverseSqrt EmitInverseSqrt(ops::Statements& s, ScalarMath& m, PrimRef v);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_INVERSE_SQRT_H_
