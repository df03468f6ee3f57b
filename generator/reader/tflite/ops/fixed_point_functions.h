// Evaluates the fixed-point functions of quantized operators, for tables that are computed at
// compile time. "Qk" has k integer bits and 31 - k fraction bits.
#ifndef LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_
#define LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "generator/ops/te/fixed_point_math.h"

namespace lathe::tflite {

// The following functions evaluate the operations that ops/te/fixed_point_math.h emits.
int32_t HighProductOf(int32_t a, int32_t b);
int32_t RoundedShiftOf(int32_t x, int n);
int32_t ScaledTwiceOf(int32_t x, const ops::FixedFactor& by);
// Returns x * 2^n, saturated.
int32_t SaturatedShiftOf(int64_t x, int n);

// Returns exp(a) in Q0 for a <= 0 in Qk.
int32_t ExpOf(int32_t a, int k);
// Returns 1 / (1 + a) in Q0 for `a` in Q0, 0 <= a < 1.
int32_t ReciprocalOf(int32_t a);
// Return the sigmoid and the tanh in Q0 of `a` in Q4.
int32_t SigmoidOf(int32_t a);
int32_t TanhOf(int32_t a);
// Returns 1 / sqrt(v) as a mantissa and a shift to the left, for v >= 0.
ops::FixedFactor InverseSqrtOf(int32_t v);

// Evaluates HARD_SWISH of int8 in 16-bit arithmetic, without zero points.
class HardSwish {
 public:
  HardSwish(double in_scale, double out_scale);
  int output_shift() const { return output_.shift; }
  int32_t Of(int32_t x) const;

 private:
  ops::FixedFactor output_, relu_;  // with mantissas of 16 bits
};

// Returns 513 values of `f`, in units of the output scale, at equal distances over the inputs (q -
// zero) * scale of int16, for interpolation.
std::vector<double> Int16Table(const std::function<float(float)>& f, float scale, int32_t zero,
                               float out_scale);
// Returns 257 values of the sigmoid at multiples of 1/24, in uint16, which both int16 functions
// interpolate.
const std::vector<double>& SigmoidTable();

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_FIXED_POINT_FUNCTIONS_H_
