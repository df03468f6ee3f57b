// Imports functions of one quantized tensor as tables of the 256 integers of its type.
#ifndef LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_
#define LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_

#include <functional>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Returns true if input 0 is int8 or uint8 with a scale.
bool IsByteOperator(OpCall& c);
// Returns true if input 0 is int16 with a scale.
bool IsInt16Operator(OpCall& c);

// Reports an error unless input 0 and output 0 have one type and positive scales.
absl::Status RequireScaledPair(OpCall& c);

// Looks the integers of input 0 up in a table of the integers that `value` gives for them, clipped
// to the type. Fails like RequireScaledPair.
absl::StatusOr<Results> Tabulated(OpCall& c, const std::function<int64_t(int32_t q)>& value);

// Returns the result of `make` if input 0 is of floats. Reports an error for other types.
absl::StatusOr<Results> FloatOnly(OpCall& c, const std::function<Results(const Operand&)>& make);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_
