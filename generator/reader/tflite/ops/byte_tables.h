// Imports functions of one quantized tensor as tables of the 256 integers of its type.
#ifndef LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_
#define LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_

#include <functional>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// The type of input 0: int8 or uint8 with a scale, or int16 with a scale.
bool IsByteOperator(OpCall& c);
bool IsInt16Operator(OpCall& c);

// Reports an error unless input 0 and output 0 have one type and positive scales.
absl::Status RequireScaledPair(OpCall& c);

// A table of the integers that `value` gives for the integers of input 0.
absl::StatusOr<Results> Tabulated(OpCall& c, const std::function<int64_t(int32_t q)>& value);

// The result of `make` for floats; other types are not supported.
absl::StatusOr<Results> FloatOnly(OpCall& c, const std::function<Results(const Operand&)>& make);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_BYTE_TABLES_H_
