// Compares the C runtime's floats of at most 8 bits with the interpreter's: every encoding, every
// float around every tie, and random floats.
#include "runtime-c/float8.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "generator/interp/data/float_format.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

struct Conversions {
  ir::TypeCode code;
  int bits;
  float (*to_float)(uint32_t);
  uint8_t (*from_float)(float);
  float (*round)(float);
  float (*round_wide)(double);

  const FloatFormat& format() const { return *FindFloatFormat(ir::DType::Make(code, bits, 1)); }
};
#define CONVERSIONS(code, bits, ...)                                                \
  {                                                                                 \
    ir::TypeCode::code, bits,                                                       \
        [](uint32_t stored) { return lathe_float_from_code(stored, __VA_ARGS__); }, \
        [](float value) { return lathe_code_from_float(value, __VA_ARGS__); },      \
        [](float value) { return lathe_round_to(value, __VA_ARGS__); },             \
        [](double value) { return lathe_round_wide_to(value, __VA_ARGS__); }        \
  }
const Conversions kAll[] = {
    CONVERSIONS(kFloat8E3M4, 8, LATHE_E3M4),
    CONVERSIONS(kFloat8E4M3, 8, LATHE_E4M3),
    CONVERSIONS(kFloat8E4M3B11Fnuz, 8, LATHE_E4M3B11FNUZ),
    CONVERSIONS(kFloat8E4M3Fn, 8, LATHE_E4M3FN),
    CONVERSIONS(kFloat8E4M3Fnuz, 8, LATHE_E4M3FNUZ),
    CONVERSIONS(kFloat8E5M2, 8, LATHE_E5M2),
    CONVERSIONS(kFloat8E5M2Fnuz, 8, LATHE_E5M2FNUZ),
    CONVERSIONS(kFloat8E8M0Fnu, 8, LATHE_E8M0FNU),
    CONVERSIONS(kFloat6E2M3Fn, 6, LATHE_E2M3FN),
    CONVERSIONS(kFloat6E3M2Fn, 6, LATHE_E3M2FN),
    CONVERSIONS(kFloat4E2M1Fn, 4, LATHE_E2M1FN),
};
#undef CONVERSIONS

// Equal to what the interpreter stores, or not a number like it.
void ExpectStored(const Conversions& c, float value) {
  const uint8_t got = c.from_float(value);
  const uint32_t wanted = Encode(c.format(), value);
  if (std::isnan(Decode(c.format(), wanted))) {
    EXPECT_TRUE(std::isnan(Decode(c.format(), got))) << value;
  } else {
    EXPECT_EQ(got, wanted) << value << " in format " << static_cast<int>(c.code);
  }
}

TEST(Float8Test, EveryCodeIsExact) {
  for (const Conversions& c : kAll) {
    for (uint32_t code = 0; code < 1u << c.bits; ++code) {
      const float got = c.to_float(code);
      const double wanted = Decode(c.format(), code);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << code;
      } else {
        EXPECT_EQ(got, wanted) << code;
        EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << code;
        EXPECT_EQ(c.from_float(got), code);
        EXPECT_EQ(c.round(got), got);
      }
    }
  }
}

TEST(Float8Test, RoundsToNearestEven) {
  for (const Conversions& c : kAll) {
    // The codes of e8m0 have no sign.
    const uint32_t codes = 1u << (c.code == ir::TypeCode::kFloat8E8M0Fnu ? c.bits : c.bits - 1);
    for (uint32_t code = 0; code + 1 < codes; ++code) {
      const float a = c.to_float(code);
      const float b = c.to_float(code + 1);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      const float tie = a + (b - a) / 2;
      for (float v : {std::nextafter(tie, a), tie, std::nextafter(tie, b)}) {
        ExpectStored(c, v);
        ExpectStored(c, -v);
      }
      // What float cannot tell from a tie, double can.
      for (double v :
           {static_cast<double>(tie) * (1 - 1e-12), static_cast<double>(tie) * (1 + 1e-12)}) {
        EXPECT_EQ(c.round_wide(v), Decode(c.format(), Encode(c.format(), v))) << v;
      }
    }
  }
}

TEST(Float8Test, StoresAnyFloat) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::mt19937 random(7);
  for (const Conversions& c : kAll) {
    for (float v : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), 0.0f, -0.0f,
                    std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}) {
      ExpectStored(c, v);
    }
    for (int i = 0; i < 100000; ++i) {
      const uint32_t bits = random();
      float value;
      std::memcpy(&value, &bits, sizeof value);
      ExpectStored(c, value);
    }
  }
}

}  // namespace
}  // namespace lathe::interp
