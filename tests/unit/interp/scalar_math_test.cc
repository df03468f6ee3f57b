#include "generator/interp/data/scalar_math.h"

#include <bit>
#include <limits>
#include <random>

#include "absl/numeric/int128.h"
#include "generator/interp/data/scalar.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

using ir::BinaryOp;
using ir::DType;

template <BinaryOp kOp>
std::optional<Bits> Compute(DType t, Bits a, Bits b) {
  Bits out = 0;
  Fault fault = Fault::kNone;
  switch (KindOf(t)) {
    case Kind::kSigned:
      fault = ComputeBinary<kOp, Kind::kSigned>(t, a, b, &out);
      break;
    case Kind::kUnsigned:
      fault = ComputeBinary<kOp, Kind::kUnsigned>(t, a, b, &out);
      break;
    case Kind::kFloat32:
      fault = ComputeBinary<kOp, Kind::kFloat32>(t, a, b, &out);
      break;
    case Kind::kFloat64:
      fault = ComputeBinary<kOp, Kind::kFloat64>(t, a, b, &out);
      break;
    case Kind::kSmallFloat:
      fault = ComputeBinary<kOp, Kind::kSmallFloat>(t, a, b, &out);
      break;
  }
  return fault == Fault::kNone ? std::optional<Bits>(out) : std::nullopt;
}

// Integers of 128 bits cannot overflow here: their value, truncated to the dtype, must be the
// result.
absl::int128 Exact(DType t, Bits v) {
  return t.is_int() ? absl::int128(static_cast<int64_t>(v)) : absl::int128(v);
}
Bits Cut(DType t, absl::int128 v) {
  const uint64_t low = absl::Int128Low64(v);
  return t.is_int() ? WrapSigned(low, t.bits) : WrapUnsigned(low, t.bits);
}
absl::int128 FloorDiv(absl::int128 a, absl::int128 b) {
  absl::int128 q = a / b;
  if (a % b != 0 && ((a < 0) != (b < 0))) q -= 1;
  return q;
}

TEST(ScalarMath, IntegersAgreeWithWideArithmetic) {
  std::mt19937_64 random(7);
  for (int bits : {4, 8, 16, 32, 64}) {
    for (DType t : {DType::Int(bits), DType::UInt(bits)}) {
      for (int n = 0; n < 3000; ++n) {
        // Small numbers and edges as often as large ones.
        const auto draw = [&] {
          const uint64_t r = random();
          return Cut(t, absl::MakeInt128(0, n % 3 == 0   ? r % 5
                                            : n % 3 == 1 ? ~uint64_t{0} - r % 3
                                                         : r));
        };
        const Bits a = draw();
        const Bits b = draw();
        const absl::int128 x = Exact(t, a);
        const absl::int128 y = Exact(t, b);
        ASSERT_EQ(*Compute<BinaryOp::kAdd>(t, a, b), Cut(t, x + y)) << ToString(t);
        ASSERT_EQ(*Compute<BinaryOp::kSub>(t, a, b), Cut(t, x - y));
        // The product of two 64-bit numbers without sign does not fit a signed 128-bit one.
        const absl::uint128 product = absl::uint128(x) * absl::uint128(y);
        ASSERT_EQ(*Compute<BinaryOp::kMul>(t, a, b), Cut(t, absl::int128(product)));
        ASSERT_EQ(*Compute<BinaryOp::kMin>(t, a, b), Cut(t, std::min(x, y)));
        ASSERT_EQ(*Compute<BinaryOp::kMax>(t, a, b), Cut(t, std::max(x, y)));
        ASSERT_EQ(*Compute<BinaryOp::kLt>(t, a, b), Bits{x < y});
        ASSERT_EQ(*Compute<BinaryOp::kGe>(t, a, b), Bits{x >= y});
        ASSERT_EQ(*Compute<BinaryOp::kBitXor>(t, a, b), Cut(t, x ^ y));
        if (y == 0) {
          ASSERT_EQ(*Compute<BinaryOp::kDiv>(t, a, b), Bits{0});
          ASSERT_EQ(*Compute<BinaryOp::kMod>(t, a, b), Bits{0});
          ASSERT_EQ(*Compute<BinaryOp::kFloorDiv>(t, a, b), Bits{0});
          ASSERT_EQ(*Compute<BinaryOp::kFloorMod>(t, a, b), Bits{0});
        } else {
          ASSERT_EQ(*Compute<BinaryOp::kDiv>(t, a, b), Cut(t, x / y));
          ASSERT_EQ(*Compute<BinaryOp::kMod>(t, a, b), Cut(t, x % y));
          ASSERT_EQ(*Compute<BinaryOp::kFloorDiv>(t, a, b), Cut(t, FloorDiv(x, y)));
          ASSERT_EQ(*Compute<BinaryOp::kFloorMod>(t, a, b), Cut(t, x - FloorDiv(x, y) * y));
        }
      }
    }
  }
}

TEST(ScalarMath, ShiftsAreDefinedForEveryCount) {
  const DType i8 = DType::Int(8);
  const auto shl = [&](int64_t a, int64_t n) {
    return static_cast<int64_t>(
        *Compute<BinaryOp::kShl>(i8, FromInt64(i8, a), static_cast<Bits>(n)));
  };
  const auto shr = [&](int64_t a, int64_t n) {
    return static_cast<int64_t>(
        *Compute<BinaryOp::kShr>(i8, FromInt64(i8, a), static_cast<Bits>(n)));
  };
  EXPECT_EQ(shl(3, 2), 12);
  EXPECT_EQ(shl(3, 7), -128);
  EXPECT_EQ(shl(3, 8), 0);
  EXPECT_EQ(shl(3, -1), 0);
  EXPECT_EQ(shr(-100, 2), -25);
  EXPECT_EQ(shr(-100, 100), -1);
  EXPECT_EQ(shr(100, 100), 0);
}

TEST(ScalarMath, TheLowestIntegerDividedByMinusOneWraps) {
  for (int bits : {8, 16, 32, 64}) {
    const DType t = DType::Int(bits);
    const Bits lowest = WrapSigned(uint64_t{1} << (bits - 1), bits);
    const Bits minus_one = FromInt64(t, -1);
    EXPECT_EQ(*Compute<BinaryOp::kDiv>(t, lowest, minus_one), lowest);
    EXPECT_EQ(*Compute<BinaryOp::kFloorDiv>(t, lowest, minus_one), lowest);
    EXPECT_EQ(*Compute<BinaryOp::kMod>(t, lowest, minus_one), Bits{0});
  }
}

TEST(ScalarMath, Float32RoundsAfterEveryOperation) {
  std::mt19937 random(3);
  const DType t = DType::Float(32);
  for (int n = 0; n < 20000; ++n) {
    const float a = std::bit_cast<float>(static_cast<uint32_t>(random()));
    const float b = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(a) || std::isnan(b)) continue;
    const auto expect = [&](Bits got, float want) {
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(std::bit_cast<float>(static_cast<uint32_t>(got))));
      } else {
        ASSERT_EQ(static_cast<uint32_t>(got), std::bit_cast<uint32_t>(want)) << a << " " << b;
      }
    };
    const Bits x = FromDouble(t, a);
    const Bits y = FromDouble(t, b);
    volatile float want = a + b;
    expect(*Compute<BinaryOp::kAdd>(t, x, y), want);
    want = a * b;
    expect(*Compute<BinaryOp::kMul>(t, x, y), want);
    want = a / b;
    expect(*Compute<BinaryOp::kDiv>(t, x, y), want);
    want = std::fma(a, b, 1.5f);
    expect(FusedMultiplyAdd(t, x, y, FromDouble(t, 1.5)), want);
  }
}

// The exact result of an operation on two halves fits a long double, so rounding that is right.
TEST(ScalarMath, HalfRoundsOnce) {
  std::mt19937 random(11);
  const DType t = DType::Float(16);
  const FloatFormat& format = *FindFloatFormat(t);
  for (int n = 0; n < 50000; ++n) {
    const Bits a = random() & 0xffff;
    const Bits b = random() & 0xffff;
    const Bits c = random() & 0xffff;
    const double x = Decode(format, static_cast<uint32_t>(a));
    const double y = Decode(format, static_cast<uint32_t>(b));
    const double z = Decode(format, static_cast<uint32_t>(c));
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) continue;
    ASSERT_EQ(*Compute<BinaryOp::kAdd>(t, a, b), Encode(format, x + y));
    ASSERT_EQ(*Compute<BinaryOp::kMul>(t, a, b), Encode(format, x * y));
    // x * y + z in units of 2^-48 is an integer of at most 96 bits.
    const absl::int128 product = absl::int128(static_cast<int64_t>(std::ldexp(x, 24))) *
                                 absl::int128(static_cast<int64_t>(std::ldexp(y, 24)));
    const absl::int128 exact =
        product + absl::int128(static_cast<int64_t>(std::ldexp(z, 24))) * (absl::int128(1) << 24);
    const long double wide =
        std::ldexp(static_cast<long double>(exact), -48);  // rounds at 64 bits at most
    const double near = static_cast<double>(wide);
    if (static_cast<long double>(near) != wide) continue;  // a second rounding: no judge
    if (near == 0) continue;                               // the sign of zero is not in the integer
    ASSERT_EQ(FusedMultiplyAdd(t, a, b, c), Encode(format, near)) << x << " " << y << " " << z;
  }
}

TEST(ScalarMath, FusedMultiplyAddOfBfloat16RoundsOnce) {
  const DType t = DType::Make(ir::TypeCode::kBFloat, 16, 1);
  // 1 + 2^-8 is halfway between two numbers; a crumb far below decides, and double loses it.
  const Bits a = FromDouble(t, 1.0);
  const Bits b = FromDouble(t, std::ldexp(1.0, -100));
  const double up = ToDouble(t, FusedMultiplyAdd(t, FromDouble(t, 0.00390625), a, b));
  EXPECT_EQ(up, 0.00390625);
  const Bits one_and_half_step = FromDouble(t, 1.0 + 0.0078125);
  const Bits x = FusedMultiplyAdd(t, FromDouble(t, 1.5), FromDouble(t, 1.0), b);
  EXPECT_EQ(ToDouble(t, x), 1.5);
  EXPECT_EQ(ToDouble(t, one_and_half_step), 1.0078125);
}

TEST(ScalarMath, CastsAreDefinedForEveryNumber) {
  const DType f32 = DType::Float(32);
  const auto cast = [](double v, DType from, DType to) {
    return Scalar{to, CastBits(from, FromDouble(from, v), to)};
  };
  EXPECT_EQ(cast(3.9, f32, DType::Int(32)).AsInt(), 3);
  EXPECT_EQ(cast(-3.9, f32, DType::Int(32)).AsInt(), -3);
  EXPECT_EQ(cast(1e10, f32, DType::Int(32)).AsInt(), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(cast(-1e10, f32, DType::Int(32)).AsInt(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(cast(-1, f32, DType::UInt(8)).AsInt(), 0);
  EXPECT_EQ(cast(256, f32, DType::UInt(8)).AsInt(), 255);
  EXPECT_EQ(cast(NAN, f32, DType::Int(8)).AsInt(), 0);
  EXPECT_EQ(cast(1e30, f32, DType::UInt(64)).bits, ~uint64_t{0});
  EXPECT_EQ(cast(0.5, f32, DType::Bool()).bits, 1u);
  EXPECT_EQ(cast(-0.0, f32, DType::Bool()).bits, 0u);
  EXPECT_EQ(Scalar::Int(300).CastTo(DType::UInt(8)).AsInt(), 44);
  EXPECT_EQ(Scalar::Int(200).CastTo(DType::Int(8)).AsInt(), -56);
  EXPECT_EQ(Scalar::Int(-1).CastTo(DType::UInt(64)).bits, ~uint64_t{0});
  EXPECT_EQ((Scalar{DType::UInt(64), ~uint64_t{0}}.CastTo(f32).AsDouble()), std::ldexp(1.0, 64));
  // 2^24 + 1 is halfway between two floats and goes to the even one.
  EXPECT_EQ(Scalar::Int(16777217).CastTo(f32).AsDouble(), 16777216);
  // Halfway in bfloat16 as seen after rounding to double, but a little more as an integer.
  const DType bf16 = DType::Make(ir::TypeCode::kBFloat, 16, 1);
  const int64_t above_half = (int64_t{1} << 62) + (int64_t{1} << 54) + 1;
  EXPECT_EQ(Scalar::Int(above_half).CastTo(bf16).AsDouble(),
            std::ldexp(1.0, 62) + std::ldexp(1.0, 55));
}

TEST(ScalarMath, TextIsTheShortestThatReadsBack) {
  EXPECT_EQ(ToString(Scalar::Float(0.1, DType::Float(32))), "0.1");
  EXPECT_EQ(ToString(Scalar::Float(0.1, DType::Float(64))), "0.1");
  EXPECT_EQ(ToString(Scalar::Int(-7)), "-7");
  EXPECT_EQ(ToString(Scalar{DType::UInt(64), ~uint64_t{0}}), "18446744073709551615");
  EXPECT_EQ(ToString(Scalar::Bool(true)), "True");
  EXPECT_EQ(ToString(Scalar::Float(-HUGE_VAL, DType::Float(16))), "-inf");
}

}  // namespace
}  // namespace lathe::interp
