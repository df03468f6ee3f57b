// Requantizes sums of products: multiplies them by real factors in integer arithmetic.
//
//   y = clamp((acc * multiplier + rounding) >> shift)     factor = multiplier / 2^shift
//
// The zero point of the result is part of `rounding`. One shift serves all channels, so that it is
// a constant in the code. The error of the shared shift is bounded; when it would be too large,
// FixedPointOf returns nullopt.
#ifndef LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_
#define LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/ops/te/statements.h"

namespace lathe::transform {

// A quantized result: its dtype, its zero point, and its range, which an activation may have
// narrowed.
struct IntegerResult {
  ir::DType dtype;
  int64_t zero = 0;
  int64_t lo = 0;
  int64_t hi = 0;
};

struct FixedPoint {
  std::vector<int64_t> multipliers;  // one for all channels, or one per channel
  int shift = 0;
};

// Computes the multipliers for sums of magnitude at most `bounds`, one bound per factor. The error
// before rounding is below a sixteenth of a unit. Returns nullopt if a factor is negative or not
// finite, if no multipliers of 32 bits are accurate enough, or if a sum times its factor may exceed
// 2^30.
std::optional<FixedPoint> FixedPointOf(const std::vector<double>& factors,
                                       const std::vector<int64_t>& bounds,
                                       const IntegerResult& result);

// Returns the number that is added before the shift: half a unit, and the zero point.
int64_t RoundingOf(int shift, const IntegerResult& result);

// Emits the expression above, in statements. `multiplier` has the dtype int32.
ir::PrimRef Requantized(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef acc,
                        ir::PrimRef multiplier, int shift, const IntegerResult& result);

// Clamps and casts `value`, an int32 that includes the zero point.
ir::PrimRef Clamped(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef value,
                    const IntegerResult& result);

// Emits an arithmetic shift to the right.
ir::PrimRef ShiftedDown(ops::ScalarMath& m, ir::PrimRef value, int shift);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_
