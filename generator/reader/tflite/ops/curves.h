// Emits the sigmoid and the tanh of int16 tensors, by linear interpolation in one table.
#ifndef LATHE_READER_TFLITE_OPS_CURVES_H_
#define LATHE_READER_TFLITE_OPS_CURVES_H_

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Converts an input `q` to a position in the table: (q * multiplier + 2^(shift - 1)) >> shift, or
// q * multiplier with a shift of 0. Table entries are 2^9 positions apart for the sigmoid and 2^8
// for the tanh. The default is for inputs with a scale of 2^-12.
struct CurveInput {
  int64_t multiplier = 3;
  int shift = 0;
};

// Returns the table as a constant: 256 values of the sigmoid, at 0, 1/24, 2/24, ..., in uint16 with
// a scale of 2^-16.
Operand CurveTable(OpCall& c);
// Returns the sigmoid or the tanh of `q`, a value in the range of int16, of type int32. The result
// is int16 with a scale of 2^-15.
PrimRef CurveOf(Te& te, BufferRef table, PrimRef q, const CurveInput& input, bool tanh);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_CURVES_H_
