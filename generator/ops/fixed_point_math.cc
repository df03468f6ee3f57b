#include "generator/ops/fixed_point_math.h"

#include <algorithm>
#include <cmath>

namespace lathe::ops {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;

const DType kNarrow = DType::Int(32);
const DType kWide = DType::Int(64);

constexpr int kMantissaBits = 31;
constexpr int kLowestShift = -31;
// The bits by which ScaledOnce shortens a mantissa, and what it rounds up to.
constexpr int kShortenedBits = 16;
constexpr int64_t kLongestMantissa = 0x7FFF0000, kShortLimit = 0x7FFF;

PrimRef Shr(ScalarMath& m, PrimRef x, PrimRef n) { return m.Binary(BinaryOp::kShr, x, n); }
PrimRef Shl(ScalarMath& m, PrimRef x, PrimRef n) { return m.Binary(BinaryOp::kShl, x, n); }

}  // namespace

FixedFactor FixedFactorOf(double factor) {
  FixedFactor fixed;
  if (factor == 0) return fixed;
  const double fraction = std::frexp(factor, &fixed.shift);
  fixed.mantissa = static_cast<int64_t>(std::round(std::ldexp(fraction, kMantissaBits)));
  if (fixed.mantissa == int64_t{1} << kMantissaBits) {
    fixed.mantissa /= 2;
    ++fixed.shift;
  }
  if (fixed.shift < kLowestShift) return {};
  return fixed;
}

PrimRef HighProduct(ScalarMath& m, PrimRef a, PrimRef b) {
  const PrimRef product = m.Mul(m.Cast(a, kWide), m.Cast(b, kWide));
  const PrimRef rounded = m.Add(product, m.Int(int64_t{1} << (kMantissaBits - 1)));
  return m.Cast(Shr(m, rounded, m.Int(kMantissaBits)), kNarrow);
}

PrimRef RoundedShift(ScalarMath& m, PrimRef x, int n) {
  if (n == 0) return x;
  const PrimRef half = m.ir().Int(int64_t{1} << (n - 1), x->dtype());
  // -1 for negative values: their halves are rounded down.
  const PrimRef sign = Shr(m, x, m.ir().Int(x->dtype().bits - 1, x->dtype()));
  // The sum of a large value and a half may need a bit more.
  if (n > 1 && x->dtype() == kNarrow) {
    const PrimRef sum = m.Add(m.Add(m.Cast(x, kWide), m.Cast(half, kWide)), m.Cast(sign, kWide));
    return m.Cast(Shr(m, sum, m.Int(n)), kNarrow);
  }
  return Shr(m, m.Add(m.Add(x, half), sign), m.ir().Int(n, x->dtype()));
}

PrimRef RoundedShift(ScalarMath& m, PrimRef x, PrimRef n) {
  const PrimRef wide = m.Cast(x, kWide), by = m.Cast(n, kWide);
  const PrimRef half = Shr(m, Shl(m, m.Int(1), by), m.Int(1));
  const PrimRef sign = Shr(m, wide, m.Int(63));
  // A shift by 0 leaves negative values as they are.
  const PrimRef down = m.Mul(sign, m.Min(by, m.Int(1)));
  return m.Cast(Shr(m, m.Add(m.Add(wide, half), down), by), kNarrow);
}

PrimRef RoundedShiftRight(ScalarMath& m, PrimRef x, PrimRef n) {
  const PrimRef wide = m.Cast(x, kWide), by = m.Cast(n, kWide);
  const PrimRef half = Shl(m, m.Int(1), m.Sub(by, m.Int(1)));
  const PrimRef sign = Shr(m, x, m.ir().Int(31, kNarrow));
  return m.Cast(Shr(m, m.Add(m.Add(wide, half), m.Cast(sign, kWide)), by), kNarrow);
}

PrimRef WrappedShiftLeft(ScalarMath& m, PrimRef x, int n) {
  if (n == 0) return x;
  return m.Cast(m.Mul(m.Cast(x, kWide), m.Int(int64_t{1} << n)), kNarrow);
}

PrimRef ScaledTwice(ScalarMath& m, PrimRef x, const FixedFactor& by) {
  const int up = std::clamp(by.shift, 0, kMantissaBits), down = std::max(-by.shift, 0);
  return RoundedShift(m, HighProduct(m, WrappedShiftLeft(m, x, up), m.Int(by.mantissa)), down);
}

PrimRef ScaledTwice(ScalarMath& m, PrimRef x, PrimRef mantissa, PrimRef shift) {
  const PrimRef zero = m.Const(0, shift->dtype());
  const PrimRef up = m.Cast(m.Max(shift, zero), kWide);
  const PrimRef lifted = m.Cast(m.Mul(m.Cast(x, kWide), Shl(m, m.Int(1), up)), kNarrow);
  return RoundedShift(m, HighProduct(m, lifted, mantissa), m.Max(m.Neg(shift), zero));
}

PrimRef ScaledOnce(ScalarMath& m, PrimRef x, const FixedFactor& by) {
  return ScaledOnce(m, x, m.Int(by.mantissa), m.Int(by.shift));
}

PrimRef ScaledOnce(ScalarMath& m, PrimRef x, PrimRef mantissa, PrimRef shift) {
  const PrimRef wide = m.Cast(mantissa, kWide);
  const PrimRef shorter =
      Shr(m, m.Add(wide, m.Int(int64_t{1} << (kShortenedBits - 1))), m.Int(kShortenedBits));
  const PrimRef factor = m.Select(m.Lt(wide, m.Int(kLongestMantissa)), shorter, m.Int(kShortLimit));
  const PrimRef down = m.Sub(m.Int(kShortenedBits - 1), m.Cast(shift, kWide));
  const PrimRef half = Shl(m, m.Int(1), m.Sub(down, m.Int(1)));
  const PrimRef product = m.Mul(m.Cast(x, kWide), factor);
  return m.Cast(Shr(m, m.Add(product, half), down), kNarrow);
}

PrimRef ClippedTo(ScalarMath& m, PrimRef x, int64_t low, int64_t high, DType dtype) {
  const PrimRef lo = m.ir().Int(low, x->dtype()), hi = m.ir().Int(high, x->dtype());
  return m.Cast(m.Max(m.Min(x, hi), lo), dtype);
}

}  // namespace lathe::ops
