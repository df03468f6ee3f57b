#include "generator/interp/data/float_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lathe::interp {
namespace {

using ir::TypeCode;

constexpr FloatFormat kFloat16 = {5, 10, 15, Specials::kIeee};

struct FormatRow {
  TypeCode code;
  FloatFormat format;
};
constexpr FormatRow kFormats[] = {
    {TypeCode::kBFloat, {8, 7, 127, Specials::kIeee}},
    {TypeCode::kFloat8E3M4, {3, 4, 3, Specials::kIeee}},
    {TypeCode::kFloat8E4M3, {4, 3, 7, Specials::kIeee}},
    {TypeCode::kFloat8E4M3B11Fnuz, {4, 3, 11, Specials::kFnuz}},
    {TypeCode::kFloat8E4M3Fn, {4, 3, 7, Specials::kFn}},
    {TypeCode::kFloat8E4M3Fnuz, {4, 3, 8, Specials::kFnuz}},
    {TypeCode::kFloat8E5M2, {5, 2, 15, Specials::kIeee}},
    {TypeCode::kFloat8E5M2Fnuz, {5, 2, 16, Specials::kFnuz}},
    {TypeCode::kFloat8E8M0Fnu, {8, 0, 127, Specials::kScale}},
    {TypeCode::kFloat6E2M3Fn, {2, 3, 1, Specials::kFinite}},
    {TypeCode::kFloat6E3M2Fn, {3, 2, 3, Specials::kFinite}},
    {TypeCode::kFloat4E2M1Fn, {2, 1, 1, Specials::kFinite}},
};

constexpr uint32_t LowBits(int n) { return (uint32_t{1} << n) - 1; }

// 2^exponent, for exponents whose result is a normal double.
double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

double DecodeScale(uint32_t code) {
  if (code == 0xff) return std::numeric_limits<double>::quiet_NaN();
  return PowerOfTwo(static_cast<int>(code) - 127);
}

uint32_t EncodeScale(double value) {
  if (std::isnan(value) || value < 0 || std::isinf(value)) return 0xff;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1), or 0
  if (fraction == 0) return 0xff;
  // Halfway between two powers of two is 1.5 times the lower: its one bit is odd, so ties go up.
  int code = exponent - 1 + 127;
  if (fraction >= 0.75) ++code;
  return code > 0xfe ? 0xff : static_cast<uint32_t>(std::max(code, 0));
}

}  // namespace

const FloatFormat* FindFloatFormat(ir::DType dtype) {
  if (dtype.code == TypeCode::kFloat) return dtype.bits == 16 ? &kFloat16 : nullptr;
  for (const FormatRow& row : kFormats) {
    if (row.code == dtype.code) return &row.format;
  }
  return nullptr;
}

double Decode(const FloatFormat& f, uint32_t code) {
  if (f.specials == Specials::kScale) return DecodeScale(code & 0xff);
  const uint32_t sign = (code >> (f.exponent_bits + f.mantissa_bits)) & 1;
  const uint32_t exponent = (code >> f.mantissa_bits) & LowBits(f.exponent_bits);
  const uint32_t mantissa = code & LowBits(f.mantissa_bits);
  const bool top = exponent == LowBits(f.exponent_bits);
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (f.specials == Specials::kIeee && top) {
    if (mantissa != 0) return kNaN;
    return sign != 0 ? -HUGE_VAL : HUGE_VAL;
  }
  if (f.specials == Specials::kFn && top && mantissa == LowBits(f.mantissa_bits)) return kNaN;
  if (f.specials == Specials::kFnuz && sign != 0 && exponent == 0 && mantissa == 0) return kNaN;
  const uint32_t hidden = exponent == 0 ? 0 : uint32_t{1} << f.mantissa_bits;
  const int power = static_cast<int>(std::max(exponent, uint32_t{1})) - f.bias - f.mantissa_bits;
  const double magnitude = static_cast<double>(hidden | mantissa) * PowerOfTwo(power);
  return sign != 0 ? -magnitude : magnitude;
}

uint32_t Encode(const FloatFormat& f, double value) {
  if (f.specials == Specials::kScale) return EncodeScale(value);
  const int width = f.exponent_bits + f.mantissa_bits;
  const uint32_t sign = std::signbit(value) ? uint32_t{1} << width : 0;
  const uint32_t ones = LowBits(width);
  const uint32_t infinity = LowBits(f.exponent_bits) << f.mantissa_bits;
  uint32_t nan = sign | ones;  // kFn
  if (f.specials == Specials::kIeee) nan = sign | infinity | uint32_t{1} << (f.mantissa_bits - 1);
  if (f.specials == Specials::kFnuz || f.specials == Specials::kFinite) nan = uint32_t{1} << width;
  if (std::isnan(value)) return nan;

  uint32_t overflow = nan;
  if (f.specials == Specials::kIeee) overflow = sign | infinity;
  if (f.specials == Specials::kFinite) overflow = sign | ones;
  if (std::isinf(value)) return overflow;

  int exponent = 0;
  std::frexp(value, &exponent);  // the magnitude is in [2^(exponent-1), 2^exponent)
  const int lowest = 1 - f.bias;
  const int step = value == 0 ? lowest : std::max(exponent - 1, lowest);
  // The magnitude in units of its last place: at most mantissa_bits + 1 bits before rounding, and
  // one more when it rounds up, which is exactly the carry into the exponent field.
  const double units = std::nearbyint(std::ldexp(std::fabs(value), f.mantissa_bits - step));
  const uint64_t code =
      (static_cast<uint64_t>(step - lowest) << f.mantissa_bits) + static_cast<uint64_t>(units);
  uint64_t largest = ones;
  if (f.specials == Specials::kIeee) largest = infinity - 1;
  if (f.specials == Specials::kFn) largest = ones - 1;
  if (code > largest) return overflow;
  if (code == 0 && f.specials == Specials::kFnuz) return 0;
  return sign | static_cast<uint32_t>(code);
}

}  // namespace lathe::interp
