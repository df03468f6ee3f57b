// Multiplication by real factors in integers: sums of products become small integers again.
//
//   y = clamp((acc * multiplier + rounding) >> shift)     factor = multiplier / 2^shift
//
// The zero point of the result is part of `rounding`. One shift serves all channels, so that it is
// a constant of the code; what that loses is bounded, and where it would be too much there is
// nothing.
#ifndef LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_
#define LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ops/scalar_math.h"
#include "generator/ops/statements.h"

namespace lathe::transform {

// What a result of small integers is: its dtype, its zero point, and what it is clamped to, which
// an activation may have narrowed.
struct IntegerResult {
  ir::DType dtype;
  int64_t zero = 0;
  int64_t lo = 0;
  int64_t hi = 0;
};

struct FixedPoint {
  std::vector<int64_t> multipliers;  // one, or one for each channel
  int shift = 0;
};

// For sums whose magnitude is at most `bounds`, of which there are as many as factors: wrong by
// less than a sixteenth of a unit before it rounds. Nothing when that needs more than 32 bits for a
// multiplier or 64 for a product.
std::optional<FixedPoint> FixedPointOf(const std::vector<double>& factors,
                                       const std::vector<int64_t>& bounds,
                                       const IntegerResult& result);

// The expression above, in statements of their own; `multiplier` has the dtype int32.
ir::PrimRef Requantized(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef acc,
                        ir::PrimRef multiplier, int shift, const IntegerResult& result);

// `value` of int32, which has its zero point already, clamped and cast.
ir::PrimRef Clamped(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef value,
                    const IntegerResult& result);

// An arithmetic shift to the right.
ir::PrimRef ShiftedDown(ops::ScalarMath& m, ir::PrimRef value, int shift);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_FIXED_POINT_H_
