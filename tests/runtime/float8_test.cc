// The C runtime's floats of 8 bits against the interpreter's: every code, every float around every
// tie, and random floats.
#include "runtime-c/float8.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "generator/interp/float_format.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

struct Conversions {
  ir::TypeCode code;
  float (*to_float)(uint8_t);
  uint8_t (*from_float)(float);
  float (*round_wide)(double);

  const FloatFormat& format() const { return *FindFloatFormat(ir::DType{code, 8}); }
};
const Conversions kAll[] = {
    {ir::TypeCode::kFloat8E3M4, lathe_float_from_e3m4, lathe_e3m4_from_float,
     lathe_round_e3m4_wide},
    {ir::TypeCode::kFloat8E4M3, lathe_float_from_e4m3, lathe_e4m3_from_float,
     lathe_round_e4m3_wide},
    {ir::TypeCode::kFloat8E4M3B11Fnuz, lathe_float_from_e4m3b11fnuz, lathe_e4m3b11fnuz_from_float,
     lathe_round_e4m3b11fnuz_wide},
    {ir::TypeCode::kFloat8E4M3Fn, lathe_float_from_e4m3fn, lathe_e4m3fn_from_float,
     lathe_round_e4m3fn_wide},
    {ir::TypeCode::kFloat8E4M3Fnuz, lathe_float_from_e4m3fnuz, lathe_e4m3fnuz_from_float,
     lathe_round_e4m3fnuz_wide},
    {ir::TypeCode::kFloat8E5M2, lathe_float_from_e5m2, lathe_e5m2_from_float,
     lathe_round_e5m2_wide},
    {ir::TypeCode::kFloat8E5M2Fnuz, lathe_float_from_e5m2fnuz, lathe_e5m2fnuz_from_float,
     lathe_round_e5m2fnuz_wide},
};

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
    for (uint32_t code = 0; code <= 0xff; ++code) {
      const float got = c.to_float(static_cast<uint8_t>(code));
      const double wanted = Decode(c.format(), code);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << code;
      } else {
        EXPECT_EQ(got, wanted) << code;
        EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << code;
        EXPECT_EQ(c.from_float(got), code);
      }
    }
  }
}

TEST(Float8Test, RoundsToNearestEven) {
  for (const Conversions& c : kAll) {
    for (uint32_t code = 0; code < 0x7f; ++code) {
      const float a = c.to_float(static_cast<uint8_t>(code));
      const float b = c.to_float(static_cast<uint8_t>(code + 1));
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
