#include "generator/interp/data/float_format.h"

#include <bit>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::TypeCode;

const DType kSmall[] = {
    DType::Float(16),
    DType::Make(TypeCode::kBFloat, 16, 1),
    DType::Make(TypeCode::kFloat8E3M4, 8, 1),
    DType::Make(TypeCode::kFloat8E4M3, 8, 1),
    DType::Make(TypeCode::kFloat8E4M3B11Fnuz, 8, 1),
    DType::Make(TypeCode::kFloat8E4M3Fn, 8, 1),
    DType::Make(TypeCode::kFloat8E4M3Fnuz, 8, 1),
    DType::Make(TypeCode::kFloat8E5M2, 8, 1),
    DType::Make(TypeCode::kFloat8E5M2Fnuz, 8, 1),
    DType::Make(TypeCode::kFloat8E8M0Fnu, 8, 1),
    DType::Make(TypeCode::kFloat6E2M3Fn, 6, 1),
    DType::Make(TypeCode::kFloat6E3M2Fn, 6, 1),
    DType::Make(TypeCode::kFloat4E2M1Fn, 4, 1),
};

uint32_t Codes(DType t) { return uint32_t{1} << t.bits; }

// float32 to float16 by bits alone, as hardware manuals describe it: another road than Encode's.
uint32_t HalfOfFloat(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f);
  const uint32_t sign = bits >> 16 & 0x8000;
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
  uint32_t mantissa = bits & 0x7fffff;
  if (exponent == 128) return sign | 0x7c00 | (mantissa != 0 ? 0x200 : 0);
  if (exponent > 15) return sign | 0x7c00;
  if (exponent < -25) return sign;
  mantissa |= 0x800000;
  const int drop = exponent >= -14 ? 13 : 13 + (-14 - exponent);
  const uint32_t kept = mantissa >> drop;
  const uint32_t rest = mantissa & ((uint32_t{1} << drop) - 1);
  const uint32_t half = uint32_t{1} << (drop - 1);
  uint32_t code = exponent >= -14 ? static_cast<uint32_t>(exponent + 14) << 10 : 0;
  code += kept;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++code;
  return sign | code;
}

TEST(FloatFormat, EveryCodeSurvivesDecodingAndEncoding) {
  for (DType t : kSmall) {
    const FloatFormat& format = *FindFloatFormat(t);
    for (uint32_t code = 0; code < Codes(t); ++code) {
      const double value = Decode(format, code);
      const uint32_t back = Encode(format, value);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(Decode(format, back))) << ToString(t) << " " << code;
      } else {
        ASSERT_EQ(back, code) << ToString(t) << " " << value;
      }
    }
  }
}

// Between any two neighbours: the nearer one, and at the middle the one whose code is even.
TEST(FloatFormat, RoundsToTheNearestAndTiesToEven) {
  for (DType t : kSmall) {
    const FloatFormat& format = *FindFloatFormat(t);
    for (uint32_t code = 0; code + 1 < Codes(t) / (format.specials == Specials::kScale ? 1 : 2);
         ++code) {
      const double low = Decode(format, code);
      const double high = Decode(format, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double middle = low + (high - low) / 2;
      // Of a format without a mantissa the one bit that is there is odd.
      const bool down = code % 2 == 0 && format.specials != Specials::kScale;
      ASSERT_EQ(Encode(format, middle), down ? code : code + 1) << ToString(t) << middle;
      ASSERT_EQ(Encode(format, std::nextafter(middle, low)), code) << ToString(t);
      ASSERT_EQ(Encode(format, std::nextafter(middle, high)), code + 1) << ToString(t);
    }
  }
}

TEST(FloatFormat, HalfAgreesWithArithmeticOnBits) {
  const FloatFormat& half = *FindFloatFormat(DType::Float(16));
  // Every half, its neighbours in float32, and every 4099th float.
  std::vector<uint32_t> patterns;
  for (uint32_t n = 0; n < 0xffffffffu - 4099; n += 4099) patterns.push_back(n);
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const uint32_t f = std::bit_cast<uint32_t>(static_cast<float>(Decode(half, code)));
    for (int d = -1; d <= 1; ++d) patterns.push_back(f + static_cast<uint32_t>(d));
  }
  for (uint32_t pattern : patterns) {
    const float f = std::bit_cast<float>(pattern);
    if (std::isnan(f)) continue;
    ASSERT_EQ(Encode(half, f), HalfOfFloat(f)) << f;
  }
}

TEST(FloatFormat, TheEdges) {
  const FloatFormat& half = *FindFloatFormat(DType::Float(16));
  EXPECT_EQ(Encode(half, 65504), 0x7bffu);
  EXPECT_EQ(Encode(half, 65519.999), 0x7bffu);
  EXPECT_EQ(Encode(half, 65520), 0x7c00u);
  EXPECT_EQ(Encode(half, -HUGE_VAL), 0xfc00u);
  EXPECT_EQ(Encode(half, -0.0), 0x8000u);
  EXPECT_EQ(Decode(half, 1), std::ldexp(1.0, -24));

  const FloatFormat& fn = *FindFloatFormat(DType::Make(TypeCode::kFloat8E4M3Fn, 8, 1));
  EXPECT_EQ(Decode(fn, 0x7e), 448);
  EXPECT_EQ(Encode(fn, 1e9), 0x7fu);
  EXPECT_TRUE(std::isnan(Decode(fn, 0xff)));
  const FloatFormat& fnuz = *FindFloatFormat(DType::Make(TypeCode::kFloat8E4M3Fnuz, 8, 1));
  EXPECT_EQ(Decode(fnuz, 0x7f), 240);
  EXPECT_EQ(Encode(fnuz, -0.0), 0u);
  EXPECT_TRUE(std::isnan(Decode(fnuz, 0x80)));
  const FloatFormat& fp4 = *FindFloatFormat(DType::Make(TypeCode::kFloat4E2M1Fn, 4, 1));
  EXPECT_EQ(Decode(fp4, 7), 6);
  EXPECT_EQ(Encode(fp4, 100), 7u);
  const FloatFormat& scale = *FindFloatFormat(DType::Make(TypeCode::kFloat8E8M0Fnu, 8, 1));
  EXPECT_EQ(Decode(scale, 127), 1);
  EXPECT_EQ(Encode(scale, 8), 130u);
  EXPECT_EQ(Encode(scale, 0), 0xffu);
  EXPECT_EQ(Encode(scale, -1), 0xffu);
  EXPECT_EQ(Encode(scale, 1e-300), 0u);
  EXPECT_EQ(FindFloatFormat(DType::Float(32)), nullptr);
}

}  // namespace
}  // namespace lathe::interp
