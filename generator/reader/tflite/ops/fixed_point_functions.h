// Evaluates the fixed-point functions of quantized operators, for tables that are computed at
// compile time. "Qk" has k integer bits and 31 - k fraction bits.
#ifndef LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_
#define LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "generator/ops/te/fixed_point_math.h"

namespace lathe::tflite {

// The first three functions evaluate the operations that HighProduct(), RoundedShift() and
// ScaledTwice() of ops/te/fixed_point_math.h emit.
//
// Returns the high half of 2 * a * b, rounded to nearest, halves up. It saturates if both are the
// lowest int32.
int32_t HighProductOf(int32_t a, int32_t b);
// Returns x / 2^n for n >= 0, rounded to nearest, halves away from zero.
int32_t RoundedShiftOf(int32_t x, int n);
// Returns x * by, rounded in two steps: the product with the mantissa, then the shift to the right.
int32_t ScaledTwiceOf(int32_t x, const ops::FixedFactor& by);
// Returns x * 2^n, saturated. If n is negative, it is rounded as by RoundedShiftOf().
int32_t SaturatedShiftOf(int64_t x, int n);

// Returns exp(a) in Q0 for a <= 0 in Qk.
int32_t ExpOf(int32_t a, int k);
// Returns 1 / (1 + a) in Q0 for `a` in Q0, 0 <= a < 1.
int32_t ReciprocalOf(int32_t a);
// Returns the sigmoid in Q0 of `a` in Q4.
int32_t SigmoidOf(int32_t a);
// Returns the tanh in Q0 of `a` in Q4.
int32_t TanhOf(int32_t a);
// Returns 1 / sqrt(v) as a mantissa and a shift to the left, for v >= 0.
ops::FixedFactor InverseSqrtOf(int32_t v);

// Evaluates HARD_SWISH of int8 and uint8 in 16-bit arithmetic.
class HardSwish {
 public:
  // The scales are those of the input and of the result.
  HardSwish(double in_scale, double out_scale);
  // Returns the shift of the factor from the input to the result. Of() supports no positive shift.
  int output_shift() const { return output_.shift; }
  // Returns the result in units of its scale, after the shift. The caller subtracts the zero point
  // of the input from `x`, adds that of the result, and clamps the sum.
  int32_t Of(int32_t x) const;

 private:
  ops::FixedFactor output_, relu_;  // with mantissas of 16 bits
};

// Returns a table of 513 values for the interpolation of `f` of an int16 tensor. They are in units
// of `out_scale`. Their positions divide the range of the input, (q - zero) * scale for all q of
// int16, into 512 equal steps.
std::vector<double> Int16Table(const std::function<float(float)>& f, float scale, int32_t zero,
                               float out_scale);
// Returns 256 values of the sigmoid in uint16, at 0, 1/24, 2/24, ... The sigmoid and the tanh of
// int16 tensors are interpolated in it (curves.h).
const std::vector<double>& SigmoidTable();

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_
