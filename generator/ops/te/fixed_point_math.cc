#include "generator/ops/te/fixed_point_math.h"

#include <algorithm>
#include <cmath>

namespace lathe::ops {
namespace {

using ir::DType;
using ir::PrimRef;

const DType kWhole = DType::Int(32);

constexpr int kMantissaBits = 31;
constexpr int kLowestShift = -31;

}  // namespace

FixedFactor FixedFactorOf(double factor) {
  FixedFactor fixed;
  if (factor == 0 || !std::isfinite(factor)) return fixed;
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
  return m.ir().MakeIntrinsic(kWhole, "high_product", {m.Cast(a, kWhole), m.Cast(b, kWhole)});
}

PrimRef RoundedShift(ScalarMath& m, PrimRef x, int n) {
  return n == 0 ? x : RoundedShift(m, x, m.ir().Int(n, kWhole));
}

PrimRef RoundedShift(ScalarMath& m, PrimRef x, PrimRef n) {
  return m.ir().MakeIntrinsic(kWhole, "rounded_shift", {x, m.Cast(n, kWhole)});
}

PrimRef ScaledTwice(ScalarMath& m, PrimRef x, const FixedFactor& by) {
  const PrimRef mantissa = m.ir().Int(by.mantissa, kWhole);
  if (by.shift < 0) return ScaledRight(m, x, mantissa, m.ir().Int(-by.shift, kWhole));
  // Larger shifts shift everything out in TFLM, too.
  constexpr int kMaxShift = 31;
  return ScaledTwice(m, x, mantissa, m.ir().Int(std::min(by.shift, kMaxShift), kWhole));
}

PrimRef ScaledRight(ScalarMath& m, PrimRef x, PrimRef mantissa, PrimRef n) {
  return m.ir().MakeIntrinsic(kWhole, "scaled_right",
                              {m.Cast(x, kWhole), mantissa, m.Cast(n, kWhole)});
}

PrimRef ScaledTwice(ScalarMath& m, PrimRef x, PrimRef mantissa, PrimRef shift) {
  return m.ir().MakeIntrinsic(kWhole, "scaled_twice",
                              {m.Cast(x, kWhole), mantissa, m.Cast(shift, kWhole)});
}

PrimRef ScaledOnce(ScalarMath& m, PrimRef x, const FixedFactor& by) {
  constexpr int kMaxShift = 14;  // of a mantissa of 16 bits
  return ScaledOnce(m, x, m.ir().Int(by.mantissa, kWhole),
                    m.ir().Int(std::min(by.shift, kMaxShift), kWhole));
}

PrimRef ScaledOnce(ScalarMath& m, PrimRef x, PrimRef mantissa, PrimRef shift) {
  return m.ir().MakeIntrinsic(kWhole, "scaled_once",
                              {m.Cast(x, DType::Int(64)), mantissa, m.Cast(shift, kWhole)});
}

PrimRef ClippedTo(ScalarMath& m, PrimRef x, int64_t low, int64_t high, DType dtype) {
  const PrimRef lo = m.ir().Int(low, x->dtype()), hi = m.ir().Int(high, x->dtype());
  return m.Cast(m.Max(m.Min(x, hi), lo), dtype);
}

}  // namespace lathe::ops
