// Emits the sigmoid and the tanh of int16, by interpolation in one table.
#ifndef LATHE_READER_TFLITE_OPS_CURVES_H_
#define LATHE_READER_TFLITE_OPS_CURVES_H_

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// The factor of the input: (q * multiplier + half) >> shift.
struct CurveInput {
  int64_t multiplier = 3;
  int shift = 0;
};

// Returns the table as a constant.
Operand CurveTable(OpCall& c);
// Returns the value at the int32 `q`, in int16 with a scale of 2^-15.
PrimRef CurveOf(Te& te, BufferRef table, PrimRef q, const CurveInput& input, bool tanh);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_CURVES_H_
