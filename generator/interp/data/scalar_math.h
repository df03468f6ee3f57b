// Defines the result of every operator of scalar expressions, for each dtype.
//
// A scalar is 64 bits: an integer sign- or zero-extended, a bool 0 or 1, a float its own bits.
// Integers wrap around. Floats are rounded to their dtype after every operation. Every case that is
// undefined in C is defined below or is a Fault.
#ifndef LATHE_INTERP_DATA_SCALAR_MATH_H_
#define LATHE_INTERP_DATA_SCALAR_MATH_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "generator/interp/data/float_format.h"
#include "generator/ir/dtype.h"
#include "generator/ir/prim_expr.h"

namespace lathe::interp {

using Bits = uint64_t;

enum class Fault : uint8_t { kNone, kNotForThisDtype };

// The arithmetic that a dtype uses.
enum class Kind : uint8_t { kSigned, kUnsigned, kFloat32, kFloat64, kSmallFloat };
inline constexpr int kKinds = 5;

constexpr Kind KindOf(ir::DType t) {
  if (t.is_int()) return Kind::kSigned;
  if (!t.is_floating()) return Kind::kUnsigned;  // bool and pointers too
  if (t.code == ir::TypeCode::kFloat && t.bits == 32) return Kind::kFloat32;
  if (t.code == ir::TypeCode::kFloat && t.bits == 64) return Kind::kFloat64;
  return Kind::kSmallFloat;
}

// Returns true if scalars of `t` fit into Bits and support arithmetic.
bool IsComputable(ir::DType t);

// Converts bits to a C type with the arithmetic of the dtype, and back. Small floats compute in
// double and round once, which is exact for sums, products, quotients and roots.
template <Kind kKind>
constexpr auto Unpack(ir::DType t, Bits b) {
  if constexpr (kKind == Kind::kSigned) {
    return static_cast<int64_t>(b);
  } else if constexpr (kKind == Kind::kUnsigned) {
    return b;
  } else if constexpr (kKind == Kind::kFloat32) {
    return std::bit_cast<float>(static_cast<uint32_t>(b));
  } else if constexpr (kKind == Kind::kFloat64) {
    return std::bit_cast<double>(b);
  } else {
    return Decode(*FindFloatFormat(t), static_cast<uint32_t>(b));
  }
}
template <Kind kKind>
using NumberOf = decltype(Unpack<kKind>(ir::DType(), Bits()));

// The lowest `bits` of `v`, at most 64. Programs may declare any width, but wider integers are
// never computed.
constexpr Bits WrapSigned(uint64_t v, int bits) {
  if (bits < 1 || bits >= 64) return bits < 1 ? 0 : v;
  return static_cast<Bits>(static_cast<int64_t>(v << (64 - bits)) >> (64 - bits));
}
constexpr Bits WrapUnsigned(uint64_t v, int bits) {
  if (bits < 1 || bits >= 64) return bits < 1 ? 0 : v;
  return v << (64 - bits) >> (64 - bits);
}

template <Kind kKind>
Bits Pack(ir::DType t, NumberOf<kKind> v) {
  if constexpr (kKind == Kind::kSigned) {
    return WrapSigned(static_cast<uint64_t>(v), t.bits);
  } else if constexpr (kKind == Kind::kUnsigned) {
    return WrapUnsigned(v, t.bits);
  } else if constexpr (kKind == Kind::kFloat32) {
    return std::bit_cast<uint32_t>(v);
  } else if constexpr (kKind == Kind::kFloat64) {
    return std::bit_cast<uint64_t>(v);
  } else {
    return Encode(*FindFloatFormat(t), v);
  }
}

// A shift by a negative count, or by the width or more, shifts all bits out.
constexpr bool ShiftsAllOut(ir::DType t, uint64_t count) { return count >= t.bits; }

// `op` on integers. Overflow wraps around; the quotient and remainder of a division by zero are 0.
template <ir::BinaryOp kOp, typename T>
constexpr Fault IntegerBinary(ir::DType t, T a, T b, T* out) {
  using ir::BinaryOp;
  using U = uint64_t;
  const U ua = static_cast<U>(a);
  const U ub = static_cast<U>(b);
  constexpr bool kSignedT = std::is_signed_v<T>;
  if constexpr (kOp == BinaryOp::kAdd) *out = static_cast<T>(ua + ub);
  if constexpr (kOp == BinaryOp::kSub) *out = static_cast<T>(ua - ub);
  if constexpr (kOp == BinaryOp::kMul) *out = static_cast<T>(ua * ub);
  if constexpr (kOp == BinaryOp::kDiv || kOp == BinaryOp::kMod || kOp == BinaryOp::kFloorDiv ||
                kOp == BinaryOp::kFloorMod) {
    constexpr bool kQuotient = kOp == BinaryOp::kDiv || kOp == BinaryOp::kFloorDiv;
    if (b == 0) {
      *out = 0;
      return Fault::kNone;
    }
    if (kSignedT && b == static_cast<T>(-1)) {  // the one quotient that may not fit: it wraps
      *out = kQuotient ? static_cast<T>(U{0} - ua) : T{0};
      return Fault::kNone;
    }
    T quotient = a / b;
    T rest = a % b;
    if constexpr (kSignedT && (kOp == BinaryOp::kFloorDiv || kOp == BinaryOp::kFloorMod)) {
      if (rest != 0 && (rest < 0) != (b < 0)) {
        --quotient;
        rest += b;
      }
    }
    *out = kQuotient ? quotient : rest;
  }
  if constexpr (kOp == BinaryOp::kMin) *out = a < b ? a : b;
  if constexpr (kOp == BinaryOp::kMax) *out = a > b ? a : b;
  if constexpr (kOp == BinaryOp::kBitAnd) *out = a & b;
  if constexpr (kOp == BinaryOp::kBitOr) *out = a | b;
  if constexpr (kOp == BinaryOp::kBitXor) *out = a ^ b;
  if constexpr (kOp == BinaryOp::kShl) *out = ShiftsAllOut(t, ub) ? T{0} : static_cast<T>(ua << ub);
  if constexpr (kOp == BinaryOp::kShr) {
    if (ShiftsAllOut(t, ub)) {
      *out = static_cast<T>(kSignedT && a < 0 ? -1 : 0);
    } else {
      *out = static_cast<T>(a >> ub);
    }
  }
  return Fault::kNone;
}

// `op` on floats. min and max are a < b ? a : b and a > b ? a : b, so NaN behaves as in C code.
template <ir::BinaryOp kOp, Kind kKind, typename T>
Fault FloatBinary(ir::DType t, T a, T b, T* out) {
  using ir::BinaryOp;
  const auto rounded = [&](T v) { return Unpack<kKind>(t, Pack<kKind>(t, v)); };
  if constexpr (kOp == BinaryOp::kAdd) *out = a + b;
  if constexpr (kOp == BinaryOp::kSub) *out = a - b;
  if constexpr (kOp == BinaryOp::kMul) *out = a * b;
  if constexpr (kOp == BinaryOp::kDiv) *out = a / b;
  if constexpr (kOp == BinaryOp::kMod) *out = std::fmod(a, b);
  if constexpr (kOp == BinaryOp::kFloorDiv) *out = std::floor(rounded(a / b));
  if constexpr (kOp == BinaryOp::kFloorMod) *out = a - rounded(std::floor(rounded(a / b)) * b);
  if constexpr (kOp == BinaryOp::kMin) *out = a < b ? a : b;
  if constexpr (kOp == BinaryOp::kMax) *out = a > b ? a : b;
  if constexpr (kOp >= BinaryOp::kBitAnd) return Fault::kNotForThisDtype;
  return Fault::kNone;
}

// a op b, for scalars of dtype `t`; comparisons, and, or return a bool.
template <ir::BinaryOp kOp, Kind kKind>
Fault ComputeBinary(ir::DType t, Bits a, Bits b, Bits* out) {
  using ir::BinaryOp;
  const auto x = Unpack<kKind>(t, a);
  const auto y = Unpack<kKind>(t, b);
  if constexpr (ir::IsComparison(kOp)) {
    if constexpr (kOp == BinaryOp::kEq) *out = x == y;
    if constexpr (kOp == BinaryOp::kNe) *out = x != y;
    if constexpr (kOp == BinaryOp::kLt) *out = x < y;
    if constexpr (kOp == BinaryOp::kLe) *out = x <= y;
    if constexpr (kOp == BinaryOp::kGt) *out = x > y;
    if constexpr (kOp == BinaryOp::kGe) *out = x >= y;
    return Fault::kNone;
  } else if constexpr (kOp == BinaryOp::kAnd || kOp == BinaryOp::kOr) {
    const bool l = x != NumberOf<kKind>(0);
    const bool r = y != NumberOf<kKind>(0);
    *out = kOp == BinaryOp::kAnd ? l && r : l || r;
    return Fault::kNone;
  } else {
    NumberOf<kKind> result{};
    Fault fault;
    if constexpr (kKind == Kind::kSigned || kKind == Kind::kUnsigned) {
      fault = IntegerBinary<kOp>(t, x, y, &result);
    } else {
      fault = FloatBinary<kOp, kKind>(t, x, y, &result);
    }
    if (fault == Fault::kNone) *out = Pack<kKind>(t, result);
    return fault;
  }
}

template <ir::UnaryOp kOp, Kind kKind>
Fault ComputeUnary(ir::DType t, Bits a, Bits* out) {
  const auto x = Unpack<kKind>(t, a);
  if constexpr (kOp == ir::UnaryOp::kNot) {
    *out = x == NumberOf<kKind>(0);
  } else if constexpr (kKind == Kind::kSigned || kKind == Kind::kUnsigned) {
    const uint64_t u = static_cast<uint64_t>(x);
    const uint64_t result = kOp == ir::UnaryOp::kNeg ? uint64_t{0} - u : ~u;
    *out = Pack<kKind>(t, static_cast<NumberOf<kKind>>(result));
  } else if constexpr (kOp == ir::UnaryOp::kNeg) {
    *out = Pack<kKind>(t, -x);
  } else {
    return Fault::kNotForThisDtype;
  }
  return Fault::kNone;
}

// Casts: integers to integers wrap; floats to integers truncate and saturate, NaN gives 0; casts to
// bool compare with zero; casts to floats round to nearest, ties to even.
Bits CastBits(ir::DType from, Bits value, ir::DType to);

// Return the nearest double, and the nearest integer towards zero within int64.
double ToDouble(ir::DType t, Bits value);
int64_t ToInt64(ir::DType t, Bits value);
Bits FromDouble(ir::DType t, double value);  // rounds for floats; casts as float64 does otherwise
Bits FromInt64(ir::DType t, int64_t value);

// a * b + c, rounded once.
Bits FusedMultiplyAdd(ir::DType t, Bits a, Bits b, Bits c);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_SCALAR_MATH_H_
