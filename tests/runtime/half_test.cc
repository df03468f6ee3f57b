// Compares the C runtime's 16-bit floats with the interpreter's: every encoding, every float around
// every tie, and random floats.
#include "runtime-c/half.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "generator/interp/data/float_format.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

constexpr ir::DType kF16 = ir::DType::Float(16), kBf16 = ir::DType{ir::TypeCode::kBFloat, 16};

uint32_t Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
float Float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Equal, or both not a number.
void ExpectSame(uint16_t got, const FloatFormat& format, float value) {
  if (std::isnan(value)) {
    EXPECT_TRUE(std::isnan(Decode(format, got))) << value;
  } else {
    EXPECT_EQ(got, Encode(format, value)) << value << " with bits " << Bits(value);
  }
}

TEST(HalfTest, EveryCodeIsExact) {
  for (uint32_t code = 0; code <= 0xffff; ++code) {
    const uint16_t half = static_cast<uint16_t>(code);
    const struct {
      const FloatFormat* format;
      float value;
      uint16_t back;
    } cases[] = {
        {FindFloatFormat(kF16), lathe_float_from_f16(half),
         lathe_f16_from_float(lathe_float_from_f16(half))},
        {FindFloatFormat(kBf16), lathe_float_from_bf16(half),
         lathe_bf16_from_float(lathe_float_from_bf16(half))},
    };
    for (const auto& c : cases) {
      const double wanted = Decode(*c.format, code);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(c.value)) << code;
        EXPECT_TRUE(std::isnan(Decode(*c.format, c.back))) << code;
      } else {
        EXPECT_EQ(Bits(c.value), Bits(static_cast<float>(wanted))) << code;
        EXPECT_EQ(c.back, code);
      }
    }
  }
}

TEST(HalfTest, RoundsToNearestEven) {
  for (uint32_t code = 0; code < 0x7f80; ++code) {
    // Between two neighbours: the tie, and the floats just below and above it.
    const auto around = [](float a, float b) {
      const float tie = a + (b - a) / 2;
      return std::vector<float>{std::nextafter(tie, a), tie, std::nextafter(tie, b)};
    };
    const uint16_t here = static_cast<uint16_t>(code), next = static_cast<uint16_t>(code + 1);
    if (code < 0x7bff) {
      for (float v : around(lathe_float_from_f16(here), lathe_float_from_f16(next))) {
        ExpectSame(lathe_f16_from_float(v), *FindFloatFormat(kF16), v);
        ExpectSame(lathe_f16_from_float(-v), *FindFloatFormat(kF16), -v);
      }
    }
    if (code < 0x7f7f) {
      for (float v : around(lathe_float_from_bf16(here), lathe_float_from_bf16(next))) {
        ExpectSame(lathe_bf16_from_float(v), *FindFloatFormat(kBf16), v);
        ExpectSame(lathe_bf16_from_float(-v), *FindFloatFormat(kBf16), -v);
      }
    }
  }
}

TEST(HalfTest, AgreesOnRandomFloatsAndEdges) {
  std::mt19937 random(1);
  const float edges[] = {65504.0f,
                         std::nextafter(65520.0f, 0.0f),
                         65520.0f,
                         65536.0f,
                         std::numeric_limits<float>::max(),
                         std::numeric_limits<float>::denorm_min(),
                         std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::quiet_NaN(),
                         0.0f};
  for (float v : edges) {
    for (float signed_value : {v, -v}) {
      ExpectSame(lathe_f16_from_float(signed_value), *FindFloatFormat(kF16), signed_value);
      ExpectSame(lathe_bf16_from_float(signed_value), *FindFloatFormat(kBf16), signed_value);
    }
  }
  for (int i = 0; i < 200000; ++i) {
    const float v = Float(static_cast<uint32_t>(random()));
    ExpectSame(lathe_f16_from_float(v), *FindFloatFormat(kF16), v);
    ExpectSame(lathe_bf16_from_float(v), *FindFloatFormat(kBf16), v);
  }
}

}  // namespace
}  // namespace lathe::interp
