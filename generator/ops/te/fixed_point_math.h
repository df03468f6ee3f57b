// Builds the integer arithmetic of quantized operators: products with real factors that are held as
// a mantissa and a power of two. The definitions are those of TensorFlow Lite, bit for bit.
#ifndef LATHE_OPS_TE_FIXED_POINT_MATH_H_
#define LATHE_OPS_TE_FIXED_POINT_MATH_H_

#include <cstdint>

#include "generator/ops/te/scalar_math.h"

namespace lathe::ops {

// factor = mantissa / 2^31 * 2^shift, with a mantissa of 31 bits: 2^30 <= mantissa < 2^31, or 0.
struct FixedFactor {
  int64_t mantissa = 0;
  int shift = 0;
};
// Returns `factor` in this form. Rounds halves of the mantissa away from zero. Factors below 2^-32
// and infinite ones are 0.
FixedFactor FixedFactorOf(double factor);

// Returns the high half of 2 * a * b, rounded to nearest, halves up; int32. `b` is not the lowest
// int32.
ir::PrimRef HighProduct(ScalarMath& m, ir::PrimRef a, ir::PrimRef b);

// Returns x / 2^n rounded to nearest, halves away from zero; int32.
ir::PrimRef RoundedShift(ScalarMath& m, ir::PrimRef x, int n);
ir::PrimRef RoundedShift(ScalarMath& m, ir::PrimRef x, ir::PrimRef n);

// Returns x * factor for an int32 `x`, rounded twice: to 31 bits of the product, then by the shift.
ir::PrimRef ScaledTwice(ScalarMath& m, ir::PrimRef x, const FixedFactor& by);
ir::PrimRef ScaledTwice(ScalarMath& m, ir::PrimRef x, ir::PrimRef mantissa, ir::PrimRef shift);
// Scales with a shift to the right by `n`, 1 to 31.
ir::PrimRef ScaledRight(ScalarMath& m, ir::PrimRef x, ir::PrimRef mantissa, ir::PrimRef n);

// Returns x * factor for an int64 `x` of at most 48 bits, with a mantissa of 16 bits, rounded once;
// int32.
ir::PrimRef ScaledOnce(ScalarMath& m, ir::PrimRef x, const FixedFactor& by);
ir::PrimRef ScaledOnce(ScalarMath& m, ir::PrimRef x, ir::PrimRef mantissa, ir::PrimRef shift);

// Clips `x` to a range and casts it.
ir::PrimRef ClippedTo(ScalarMath& m, ir::PrimRef x, int64_t low, int64_t high, ir::DType dtype);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_FIXED_POINT_MATH_H_
