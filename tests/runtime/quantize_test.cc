// Tests the conversions of quantized inputs and outputs against their definition.
#include "lathe/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace lathe {
namespace {

int32_t Defined(float real, float scale, int32_t zero, int32_t low, int32_t high) {
  const double nearest = std::round(double{real / scale}) + zero;
  return static_cast<int32_t>(std::min<double>(std::max<double>(nearest, low), high));
}

TEST(QuantizeTest, RoundsToTheNearestInteger) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> reals(-300, 300);
  for (const float scale : {0.5F, 1.0F, 0.0301F, 3e-8F}) {
    for (const int32_t zero : {-128, -1, 0, 83, 127}) {
      for (int i = 0; i < 2000; ++i) {
        const float real = reals(random) * scale;
        ASSERT_EQ(lathe_quantize(real, scale, zero, -128, 127),
                  Defined(real, scale, zero, -128, 127))
            << real << " " << scale << " " << zero;
      }
    }
  }
}

TEST(QuantizeTest, RoundsHalvesAwayFromZero) {
  EXPECT_EQ(lathe_quantize(0.5F, 1, -128, -128, 127), -127);
  EXPECT_EQ(lathe_quantize(-0.5F, 1, 127, -128, 127), 126);
  // The sum of this number and 0.5 is 1 in float32.
  EXPECT_EQ(lathe_quantize(0.49999997F, 1, 0, -128, 127), 0);
  EXPECT_EQ(lathe_quantize(-0.49999997F, 1, 0, -128, 127), 0);
}

TEST(QuantizeTest, ClipsEveryRealNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const int32_t zero : {-32768, 0, 32767}) {
    EXPECT_EQ(lathe_quantize(infinity, 1e-30F, zero, -32768, 32767), 32767);
    EXPECT_EQ(lathe_quantize(-infinity, 1e-30F, zero, -32768, 32767), -32768);
    EXPECT_EQ(lathe_quantize(1e38F, 1e-30F, zero, -32768, 32767), 32767);
    EXPECT_EQ(lathe_quantize(std::nanf(""), 1, zero, -32768, 32767), -32768);
  }
  EXPECT_EQ(lathe_quantize(300, 1, 0, 0, 255), 255);
  EXPECT_EQ(lathe_quantize(-1, 1, 0, 0, 255), 0);
}

TEST(QuantizeTest, InvertsDequantize) {
  for (int32_t element = -128; element <= 127; ++element) {
    const float real = lathe_dequantize(element, 0.0301F, 7);
    EXPECT_EQ(lathe_quantize(real, 0.0301F, 7, -128, 127), element);
  }
}

}  // namespace
}  // namespace lathe
