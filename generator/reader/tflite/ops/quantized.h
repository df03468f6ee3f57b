// Emits the parts that quantized operators share: subtraction of zero points, activations and the
// requantization of sums.
#ifndef LATHE_READER_TFLITE_OPS_QUANTIZED_H_
#define LATHE_READER_TFLITE_OPS_QUANTIZED_H_

#include <string>
#include <vector>

#include "generator/ops/te/fixed_point_math.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Numbers of fused activations.
enum Activation : int64_t {
  kNone = 0,
  kRelu = 1,
  kReluN1To1 = 2,
  kRelu6 = 3,
  kTanh = 4,
  kSignBit = 5
};

struct IntegerRange {
  int64_t low = 0, high = 0;
};
IntegerRange RangeOf(DType dtype);
// Returns the range of quantized values that the activation can produce. TFLM ignores activations
// that are not in Activation.
IntegerRange ActivationRange(OpCall& c, const Tensor& out, int64_t activation);

// Applies a fused activation to float values. Most kernels ignore TANH and SIGN_BIT.
Operand FloatActivation(OpCall& c, const Operand& x, int64_t activation);
// The same where these are applied: products of float data with integer weights, and SVDF.
Operand EveryActivation(OpCall& c, const Operand& x, int64_t activation);
// The same of one value.
PrimRef EveryActivation(ScalarMath& m, PrimRef x, int64_t activation);

// Dequantizes input `i`, which has one scale, to float32.
Operand Dequantized(OpCall& c, int i);

// Reports inputs and outputs with a scale for each position of an axis.
absl::Status RequireOneScale(OpCall& c);

// Products and quotients of scales in float32. LiteRT forms some factors so, of uint8 above all;
// TFLM forms all in double precision. The difference, 1 of 2^24, moves few results by 1.
inline double FloatProduct(double a, double b) {
  return static_cast<float>(a) * static_cast<float>(b);
}
inline double FloatQuotient(double a, double b) {
  return static_cast<float>(a) / static_cast<float>(b);
}
// Returns a / out, or a * b / out, in float32 or in double precision.
inline double FactorOf(double a, double out, bool in_float) {
  return in_float ? FloatQuotient(a, out) : a / out;
}
inline double FactorOf(double a, double b, double out, bool in_float) {
  return in_float ? FloatQuotient(FloatProduct(a, b), out) : a * b / out;
}

// Returns x - zero in `dtype`.
Operand SubtractZeroPoint(OpCall& c, const Operand& x, int64_t zero, DType dtype);

// Requantizes sums to the dtype of output 0. `factors` has one factor, or one for each position of
// `axis`. int32 sums are rounded twice, int64 sums once.
Operand RequantizedSums(OpCall& c, const Operand& sums, const std::vector<double>& factors,
                        int axis, const IntegerRange& range);

// Returns values[x - low] for each element of `x`, where `low` is the lowest integer of its dtype.
// The result has this dtype too.
Operand LookedUp(OpCall& c, const Operand& x, const std::vector<double>& values);

Operand ClippedIntegers(OpCall& c, const Operand& x, const IntegerRange& range);

// Returns the positions [begin, end) of an axis.
Operand SlicedAlong(OpCall& c, const Operand& x, int axis, int64_t begin, int64_t end);

// Returns true for integers of up to 16 bits, which quantized operators compute with.
bool IsSmallInteger(DType dtype);

// Reports an error unless inputs `first` to the last have the type of output 0 and, where both have
// a scale, the same scale and zero point.
absl::Status RequireSameQuantization(OpCall& c, int first = 0);

// Reports an error unless all inputs and output 0 have one type.
absl::Status RequireSameType(OpCall& c);

// Rounds a float32 of less than 2^22 to the nearest int32, halves away from zero.
PrimRef NearestInteger(ScalarMath& m, PrimRef x);

// Returns q - zero in int32.
PrimRef SubtractZeroPoint(ScalarMath& m, PrimRef q, int64_t zero);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_QUANTIZED_H_
