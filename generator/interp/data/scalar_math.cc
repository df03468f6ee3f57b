#include "generator/interp/data/scalar_math.h"

#include <algorithm>

#include "generator/support/check.h"

namespace lathe::interp {
namespace {

// Calls `f` with the Kind of `t` as a constant.
template <typename F>
auto WithKind(ir::DType t, F f) {
  switch (KindOf(t)) {
    case Kind::kSigned:
      return f(std::integral_constant<Kind, Kind::kSigned>());
    case Kind::kUnsigned:
      return f(std::integral_constant<Kind, Kind::kUnsigned>());
    case Kind::kFloat32:
      return f(std::integral_constant<Kind, Kind::kFloat32>());
    case Kind::kFloat64:
      return f(std::integral_constant<Kind, Kind::kFloat64>());
    case Kind::kSmallFloat:
      break;
  }
  return f(std::integral_constant<Kind, Kind::kSmallFloat>());
}

// Rounds `v` to odd when it is not exact. Rounding the result to a format of fewer bits then equals
// rounding the exact number.
double RoundToOdd(double v, bool inexact, bool exact_is_larger) {
  if (!inexact || !std::isfinite(v)) return v;
  const uint64_t bits = std::bit_cast<uint64_t>(v);
  if ((bits & 1) != 0) return v;
  return std::nextafter(v, exact_is_larger ? HUGE_VAL : -HUGE_VAL);
}

// `magnitude` as a double, rounded to odd.
double OddDouble(uint64_t magnitude) {
  const int drop = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 53);
  const uint64_t kept = magnitude >> drop;
  const uint64_t sticky = (kept << drop) != magnitude ? 1 : 0;
  return std::ldexp(static_cast<double>(kept | sticky), drop);
}

template <typename Int>
Bits IntToFloat(ir::DType to, Int v) {
  if (KindOf(to) == Kind::kFloat32) return Pack<Kind::kFloat32>(to, static_cast<float>(v));
  if (KindOf(to) == Kind::kFloat64) return Pack<Kind::kFloat64>(to, static_cast<double>(v));
  const bool negative = v < 0;
  const uint64_t magnitude =
      negative ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  const double d = OddDouble(magnitude);
  return Pack<Kind::kSmallFloat>(to, negative ? -d : d);
}

Bits FloatToInt(ir::DType to, double v) {
  if (std::isnan(v)) return 0;
  const int bits = std::min<int>(to.bits, 64);
  if (to.is_int()) {
    const double bound = std::ldexp(1.0, bits - 1);
    const uint64_t lowest = ~uint64_t{0} << (bits - 1);
    if (v >= bound) return ~lowest;
    if (v < -bound) return lowest;
    return static_cast<Bits>(static_cast<int64_t>(v));
  }
  if (v >= std::ldexp(1.0, bits)) return WrapUnsigned(~uint64_t{0}, bits);
  if (v <= -1.0) return 0;
  return static_cast<Bits>(v < 0 ? 0 : v);
}

}  // namespace

bool IsComputable(ir::DType t) {
  if (t.is_void()) return false;
  if (t.is_bool() || t.is_handle()) return true;
  if (t.is_integer()) return t.bits >= 1 && t.bits <= 64;
  return t.code != ir::TypeCode::kFloat || t.bits == 16 || t.bits == 32 || t.bits == 64;
}

Bits CastBits(ir::DType from, Bits value, ir::DType to) {
  if (from.element() == to.element()) return value;
  if (to.is_bool()) {
    return WithKind(from, [&](auto k) -> Bits { return Unpack<k()>(from, value) != 0; });
  }
  if (!from.is_floating() && !to.is_floating()) {
    return to.is_int() ? WrapSigned(value, to.bits) : WrapUnsigned(value, to.bits);
  }
  if (!from.is_floating()) {
    return from.is_int() ? IntToFloat(to, static_cast<int64_t>(value)) : IntToFloat(to, value);
  }
  const double v = ToDouble(from, value);  // exact
  return to.is_floating() ? FromDouble(to, v) : FloatToInt(to, v);
}

double ToDouble(ir::DType t, Bits value) {
  return WithKind(t, [&](auto k) { return static_cast<double>(Unpack<k()>(t, value)); });
}

int64_t ToInt64(ir::DType t, Bits value) {
  if (!t.is_floating()) return static_cast<int64_t>(value);
  return static_cast<int64_t>(FloatToInt(ir::DType::Int(64), ToDouble(t, value)));
}

Bits FromDouble(ir::DType t, double value) {
  switch (KindOf(t)) {
    case Kind::kSigned:
    case Kind::kUnsigned:
      if (t.is_bool()) return value != 0;
      return FloatToInt(t, value);
    case Kind::kFloat32:
      return Pack<Kind::kFloat32>(t, static_cast<float>(value));
    case Kind::kFloat64:
      return Pack<Kind::kFloat64>(t, value);
    case Kind::kSmallFloat:
      return Pack<Kind::kSmallFloat>(t, value);
  }
  LATHE_UNREACHABLE("a Kind without a case");
}

Bits FromInt64(ir::DType t, int64_t value) {
  return CastBits(ir::DType::Int(64), static_cast<Bits>(value), t);
}

Bits FusedMultiplyAdd(ir::DType t, Bits a, Bits b, Bits c) {
  switch (KindOf(t)) {
    case Kind::kSigned:
      return WrapSigned(a * b + c, t.bits);
    case Kind::kUnsigned:
      return WrapUnsigned(a * b + c, t.bits);
    case Kind::kFloat32:
      return Pack<Kind::kFloat32>(
          t, std::fma(Unpack<Kind::kFloat32>(t, a), Unpack<Kind::kFloat32>(t, b),
                      Unpack<Kind::kFloat32>(t, c)));
    case Kind::kFloat64:
      return Pack<Kind::kFloat64>(
          t, std::fma(Unpack<Kind::kFloat64>(t, a), Unpack<Kind::kFloat64>(t, b),
                      Unpack<Kind::kFloat64>(t, c)));
    case Kind::kSmallFloat:
      break;
  }
  // The product of two small floats is exact in double. Knuth's two-sum gives the exact error of
  // adding the third.
  const double product = ToDouble(t, a) * ToDouble(t, b);
  const double addend = ToDouble(t, c);
  const double sum = product + addend;
  if (!std::isfinite(sum)) return FromDouble(t, sum);
  const double rest = sum - product;
  const double error = (product - (sum - rest)) + (addend - rest);
  return FromDouble(t, RoundToOdd(sum, error != 0, error > 0));
}

}  // namespace lathe::interp
