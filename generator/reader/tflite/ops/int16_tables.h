// Emits look-ups with interpolation in tables over int16 (fixed_point_functions.h: Int16Table).
#ifndef LATHE_READER_TFLITE_OPS_INT16_TABLES_H_
#define LATHE_READER_TFLITE_OPS_INT16_TABLES_H_

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Returns the interpolated value at `x`, an int32 in the range of int16, as int32.
PrimRef Interpolated(Te& te, BufferRef table, PrimRef x);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_INT16_TABLES_H_
