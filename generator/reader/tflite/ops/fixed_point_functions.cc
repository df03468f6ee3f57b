#include "generator/reader/tflite/ops/fixed_point_functions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lathe::tflite {
namespace {

constexpr int32_t kOne = std::numeric_limits<int32_t>::max();

int32_t Wrapped(int64_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x)); }

// (1 - a) / (1 + a) and 1 / (1 + a) for a in Q0, 0 <= a < 1, from Newton's iteration for
// 2 / (1 + a), in Q2.
int32_t HalfReciprocal(int32_t a) {
  constexpr int32_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540, kOneInQ2 = 1 << 29;
  const int64_t sum = int64_t{a} + kOne;
  const int32_t half = static_cast<int32_t>((sum + 1) / 2);
  int32_t x = k48Over17 + HighProductOf(half, kMinus32Over17);
  for (int i = 0; i < 3; ++i) {
    const int32_t rest = kOneInQ2 - HighProductOf(half, x);
    x = Wrapped(int64_t{x} + SaturatedShiftOf(HighProductOf(x, rest), 2));
  }
  return x;
}
int32_t OppositeOver(int32_t a) {
  return SaturatedShiftOf(int64_t{HalfReciprocal(a)} - (1 << 29), 2);
}

}  // namespace

int32_t ReciprocalOf(int32_t a) { return SaturatedShiftOf(HalfReciprocal(a), 1); }

int32_t HighProductOf(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min()) return kOne;
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

int32_t RoundedShiftOf(int32_t x, int n) {
  if (n == 0) return x;
  const int64_t half = int64_t{1} << (n - 1);
  return static_cast<int32_t>((x + half - (x < 0 ? 1 : 0)) >> n);
}

int32_t SaturatedShiftOf(int64_t x, int n) {
  const int64_t shifted =
      n < 0 ? RoundedShiftOf(static_cast<int32_t>(x), -n) : x * (int64_t{1} << n);
  return static_cast<int32_t>(std::clamp<int64_t>(shifted, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

int32_t ScaledTwiceOf(int32_t x, const ops::FixedFactor& by) {
  const int up = std::clamp(by.shift, 0, 31), down = std::max(-by.shift, 0);
  const int32_t lifted = Wrapped(int64_t{x} * (int64_t{1} << up));
  return RoundedShiftOf(HighProductOf(lifted, static_cast<int32_t>(by.mantissa)), down);
}

int32_t ExpOf(int32_t a, int k) {
  if (a == 0) return kOne;
  constexpr int32_t kExpOfMinusEighth = 1895147668, kThird = 715827883;
  // exp(-2^e) of the bits that the polynomial does not cover.
  struct Bit {
    int e;
    int32_t factor;
  };
  constexpr Bit kBits[] = {{-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308},
                           {2, 39332535},    {3, 720401},      {4, 242}};
  const int fraction = 31 - k;
  const int32_t quarter = 1 << (fraction - 2);
  const int32_t rest = (a & (quarter - 1)) - quarter;  // in [-1/4, 0)
  const int32_t x = Wrapped(int64_t{SaturatedShiftOf(rest, k)} + (1 << 28));
  const int32_t x2 = HighProductOf(x, x), x3 = HighProductOf(x2, x), x4 = HighProductOf(x2, x2);
  const int32_t tail = HighProductOf(Wrapped(int64_t{RoundedShiftOf(x4, 2)} + x3), kThird);
  const int32_t y = RoundedShiftOf(Wrapped(int64_t{tail} + x2), 1);
  int32_t result = Wrapped(int64_t{kExpOfMinusEighth} +
                           HighProductOf(kExpOfMinusEighth, Wrapped(int64_t{x} + y)));
  const int32_t remainder = Wrapped(int64_t{rest} - a);
  for (const Bit& bit : kBits) {
    if (k <= bit.e || fraction + bit.e < 0) continue;
    if ((remainder & (int64_t{1} << (fraction + bit.e))) != 0) {
      result = HighProductOf(result, bit.factor);
    }
  }
  if (k > 5 && int64_t{a} < -(int64_t{1} << (36 - k))) return 0;
  return result;
}

int32_t SigmoidOf(int32_t a) {
  if (a == 0) return 1 << 30;
  const int32_t magnitude = static_cast<int32_t>(-std::abs(int64_t{a}) < -int64_t{kOne} - 1
                                                     ? std::numeric_limits<int32_t>::min()
                                                     : -std::abs(int64_t{a}));
  const int32_t positive = ReciprocalOf(ExpOf(magnitude, 4));
  return a < 0 ? kOne - positive : positive;
}

int32_t TanhOf(int32_t a) {
  if (a == 0) return 0;
  const int32_t magnitude = static_cast<int32_t>(-std::abs(int64_t{a}));
  const int32_t value = OppositeOver(ExpOf(magnitude, 5));
  return a < 0 ? -value : value;
}

ops::FixedFactor InverseSqrtOf(int32_t v) {
  if (v <= 1) return {kOne, 0};
  int n = 11;
  while (v >= (1 << 29)) {
    v /= 4;
    ++n;
  }
  int leading = 0;
  while ((v & (int64_t{1} << (31 - leading))) == 0) ++leading;
  const int pairs = (leading - 1) / 2 - 1;
  n -= pairs;
  v *= 1 << (2 * pairs);
  const int32_t half = RoundedShiftOf(v >> 1, 1);
  int32_t x = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    const int32_t cube = SaturatedShiftOf(HighProductOf(HighProductOf(x, x), x), 6);
    const int32_t step =
        Wrapped(int64_t{HighProductOf((1 << 28) + (1 << 27), x)} - HighProductOf(half, cube));
    x = SaturatedShiftOf(step, 3);
  }
  constexpr int32_t kHalfSqrt2 = 1518500250;
  x = HighProductOf(x, kHalfSqrt2);
  if (n < 0) {
    x = Wrapped(int64_t{x} * (int64_t{1} << -n));
    n = 0;
  }
  return {x, -n};
}

namespace {

// A factor with a mantissa of 15 bits.
ops::FixedFactor ShortFactor(double factor) {
  ops::FixedFactor fixed = ops::FixedFactorOf(factor);
  constexpr int64_t kLongest = (int64_t{1} << 31) - 1 - (1 << 15);
  fixed.mantissa = fixed.mantissa > kLongest ? 32767 : (fixed.mantissa + (1 << 15)) >> 16;
  return fixed;
}

int16_t HighProduct16(int16_t a, int16_t b) {
  if (a == b && a == -32768) return 32767;
  return static_cast<int16_t>((int32_t{a} * b + (1 << 14)) >> 15);
}
int16_t SaturatedShift16(int16_t x, int n) {
  const int64_t shifted = int64_t{x} * (int64_t{1} << std::min(n, 31));
  return static_cast<int16_t>(std::clamp<int64_t>(shifted, -32768, 32767));
}

}  // namespace

HardSwish::HardSwish(double in_scale, double out_scale)
    : output_(ShortFactor(in_scale / 128 / out_scale)),
      relu_(ShortFactor(in_scale / 128 / (3.0 / 32768.0))) {}

int32_t HardSwish::Of(int32_t x) const {
  const auto lifted = static_cast<int16_t>(x * 128);
  const int16_t value = HighProduct16(lifted, static_cast<int16_t>(output_.mantissa));
  int16_t gate = lifted;
  const int e = relu_.shift;
  if (e > 0) gate = SaturatedShift16(gate, e - 1);
  gate = HighProduct16(gate, static_cast<int16_t>(relu_.mantissa));
  if (e > 0) gate = SaturatedShift16(gate, 1);
  if (e < 0) gate = static_cast<int16_t>(RoundedShiftOf(gate, std::min(-e, 31)));
  gate = static_cast<int16_t>((int32_t{gate} + 32768) >> 1);
  const auto product = static_cast<int16_t>(int32_t{gate} * value / 32768);
  return RoundedShiftOf(product, std::min(-output_.shift, 31));
}

std::vector<double> Int16Table(const std::function<float(float)>& f, float scale, int32_t zero,
                               float out_scale) {
  constexpr int kSteps = 512;
  const float low = scale * static_cast<float>(-32768 - zero);
  const float high = scale * static_cast<float>(32767 - zero);
  const float step = (high - low) / kSteps, half = step / 2;
  const float inverse = 65536.0F / (out_scale * 32767.0F - out_scale * -32768.0F);
  const auto clipped = [](float x) {
    return static_cast<double>(std::clamp(x, -32768.0F, 32767.0F));
  };
  std::vector<double> table;
  for (int i = 0; i < kSteps; ++i) {
    const float at = low + static_cast<float>(i) * step;
    const float here = f(at), between = f(at + half);
    const float next = f(low + static_cast<float>(i + 1) * step);
    const float sample = std::round(here * inverse);
    const float middle = std::round((next * inverse + sample) / 2);
    const float error = middle - std::round(between * inverse);
    table.push_back(clipped(sample - std::round(error / 2)));
  }
  table.push_back(clipped(std::round(f(high) * inverse)));
  return table;
}

const std::vector<double>& SigmoidTable() {
  static const auto* table = [] {
    // Where the published table is one above the rounded value.
    constexpr int kAbove[] = {4,  8,  12, 14, 15, 16, 17, 19, 20,  21,  22,  25,  27, 28, 29,
                              30, 31, 33, 34, 35, 37, 39, 40, 41,  43,  44,  45,  46, 49, 50,
                              54, 62, 63, 64, 66, 82, 86, 93, 100, 103, 112, 116, 135};
    auto* values = new std::vector<double>;
    for (int i = 0; i < 256; ++i) {
      double value = std::round(65536.0 / (1.0 + std::exp(-i / 24.0)));
      if (std::find(std::begin(kAbove), std::end(kAbove), i) != std::end(kAbove)) value += 1;
      values->push_back(std::min(65535.0, value));
    }
    values->back() = 65535.0;
    return values;
  }();
  return *table;
}

}  // namespace lathe::tflite
