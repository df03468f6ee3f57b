#include "generator/transform/quantize/fixed_point.h"

#include <algorithm>
#include <cmath>

namespace lathe::transform {

using ir::DType;
using ir::PrimRef;

namespace {

// Bounds the shift, so that a shifted zero point and a product fit together.
constexpr int kMaxShift = 53;
constexpr double kTolerance = 1.0 / 16;
constexpr double kMaxResult = 1 << 30;

}  // namespace

std::optional<FixedPoint> FixedPointOf(const std::vector<double>& factors,
                                       const std::vector<int64_t>& bounds,
                                       const IntegerResult& result) {
  double largest = 0;
  for (double f : factors) {
    if (!std::isfinite(f) || f < 0) return std::nullopt;
    largest = std::max(largest, f);
  }
  FixedPoint fixed;
  int exponent = 0;
  (void)std::frexp(largest, &exponent);  // largest < 2^exponent
  fixed.shift = std::min(largest == 0 ? 1 : 31 - exponent, kMaxShift);
  if (fixed.shift < 1) return std::nullopt;
  if (std::nearbyint(std::ldexp(largest, fixed.shift)) >= std::ldexp(1, 31)) --fixed.shift;
  for (size_t i = 0; i < factors.size(); ++i) {
    const double multiplier = std::nearbyint(std::ldexp(factors[i], fixed.shift));
    const double off = std::abs(factors[i] - std::ldexp(multiplier, -fixed.shift));
    // Products outside the range of the result are clamped anyway.
    const double reach = factors[i] == 0 ? 0 : std::ldexp(2, result.dtype.bits) / factors[i];
    const double bound = static_cast<double>(bounds[i]);
    if (off * std::min(bound, reach) > kTolerance) return std::nullopt;
    if (bound * factors[i] > kMaxResult) return std::nullopt;
    fixed.multipliers.push_back(static_cast<int64_t>(multiplier));
  }
  return fixed;
}

PrimRef ShiftedDown(ops::ScalarMath& m, PrimRef value, int shift) {
  return m.Binary(ir::BinaryOp::kShr, value, m.ir().Int(shift, value->dtype()));
}

PrimRef Clamped(ops::Statements& s, ops::ScalarMath& m, PrimRef value,
                const IntegerResult& result) {
  const PrimRef lo = m.ir().Int(result.lo, value->dtype());
  const PrimRef hi = m.ir().Int(result.hi, value->dtype());
  const PrimRef scaled = s.Let("scaled", value);
  const PrimRef raised = s.Let("raised", m.Max(scaled, lo));
  return m.Cast(m.Min(raised, hi), result.dtype);
}

int64_t RoundingOf(int shift, const IntegerResult& result) {
  return (int64_t{1} << (shift - 1)) + result.zero * (int64_t{1} << shift);
}

PrimRef Requantized(ops::Statements& s, ops::ScalarMath& m, PrimRef acc, PrimRef multiplier,
                    int shift, const IntegerResult& result) {
  const DType wide = DType::Int(64);
  const PrimRef product = m.Mul(m.Cast(acc, wide), m.Cast(multiplier, wide));
  const PrimRef scaled =
      ShiftedDown(m, m.Add(product, m.ir().Int(RoundingOf(shift, result), wide)), shift);
  return Clamped(s, m, m.Cast(scaled, DType::Int(32)), result);
}

}  // namespace lathe::transform
