// Emits what quantized operators share: differences from zero points, activations and the
// conversion of sums to results.
#ifndef LATHE_READER_TFLITE_OPS_QUANTIZED_H_
#define LATHE_READER_TFLITE_OPS_QUANTIZED_H_

#include <string>
#include <vector>

#include "generator/ops/te/fixed_point_math.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Numbers of fused activations.
enum Activation : int64_t { kNone = 0, kRelu = 1, kReluN1To1 = 2, kRelu6 = 3 };

struct IntegerRange {
  int64_t low = 0, high = 0;
};
IntegerRange RangeOf(DType dtype);
// The integers of `out` that a fused activation allows. TFLM ignores the other activations.
IntegerRange ActivationRange(OpCall& c, const Tensor& out, int64_t activation);

// Applies a fused activation to float values.
Operand FloatActivation(OpCall& c, const Operand& x, int64_t activation);

// Input `i`, which has one scale, as real numbers.
Operand Dequantized(OpCall& c, int i);

// x - zero in `dtype`.
Operand WithoutZero(OpCall& c, const Operand& x, int64_t zero, DType dtype);

// Converts sums to integers of output 0: factors are real, one or one per position of `axis`. int32
// sums are rounded twice, int64 sums once.
Operand RequantizedSums(OpCall& c, const Operand& sums, const std::vector<double>& factors,
                        int axis, const IntegerRange& range);

// A table of the values of the integers of `x`, which have 8 bits.
Operand LookedUp(OpCall& c, const Operand& x, const std::vector<double>& values);

// Clips integers to a range.
Operand ClippedIntegers(OpCall& c, const Operand& x, const IntegerRange& range);

// The positions [begin, end) of an axis.
Operand SlicedAlong(OpCall& c, const Operand& x, int axis, int64_t begin, int64_t end);

// True for the types that quantized operators compute in integers.
bool IsSmallInteger(DType dtype);

// Reports an error unless inputs `first` to the last and output 0 have the same type, scale and
// zero point.
absl::Status RequireSameQuantization(OpCall& c, int first = 0);

// Reports an error unless all inputs and output 0 have one type.
absl::Status RequireSameType(OpCall& c);

// The int32 nearest to a float32 of less than 2^22, halves away from zero.
PrimRef NearestInteger(ScalarMath& m, PrimRef x);

// The integers of a quantized tensor in int32, without the zero point.
PrimRef Shifted(ScalarMath& m, PrimRef q, int64_t zero);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_QUANTIZED_H_
