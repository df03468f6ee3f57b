#include "tests/reference/number.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace lathe::reference {

namespace {

using F = NumberFormat;
constexpr NumberFormat kFormats[] = {
    {"float64", F::kFloat, 64, 52, -1022, std::numeric_limits<double>::max()},
    {"float32", F::kFloat, 32, 23, -126, 0x1.fffffep127},
    {"float16", F::kFloat, 16, 10, -14, 65504},
    {"bfloat16", F::kFloat, 16, 7, -126, 0x1.fep127},
    {"float8_e4m3fn", F::kFloat, 8, 3, -6, 448, false},
    {"float8_e5m2", F::kFloat, 8, 2, -14, 57344},
    {"int64", F::kSigned, 64},
    {"int32", F::kSigned, 32},
    {"int16", F::kSigned, 16},
    {"int8", F::kSigned, 8},
    {"int4", F::kSigned, 4},
    {"uint64", F::kUnsigned, 64},
    {"uint32", F::kUnsigned, 32},
    {"uint16", F::kUnsigned, 16},
    {"uint8", F::kUnsigned, 8},
    {"uint4", F::kUnsigned, 4},
    {"bool", F::kBool, 1},
};

}  // namespace

const NumberFormat& FormatOf(const std::string& dtype) {
  for (const NumberFormat& format : kFormats) {
    if (format.dtype == dtype) return format;
  }
  std::abort();
}

long double Rounded(long double x, const std::string& dtype) {
  const NumberFormat& format = FormatOf(dtype);
  if (x == 0 || !std::isfinite(x)) {
    return std::isinf(x) && !format.infinite ? std::numeric_limits<long double>::quiet_NaN() : x;
  }
  int exponent = 0;
  std::frexp(x, &exponent);  // x = m * 2^exponent, m in [1/2, 1)
  const int lowest = format.lowest_exponent;
  const long double step =
      std::ldexp(1.0L, (exponent - 1 < lowest ? lowest : exponent - 1) - format.fraction);
  const long double rounded = std::nearbyint(x / step) * step;
  if (std::fabs(rounded) <= format.largest) return rounded;
  const long double beyond = format.infinite ? std::numeric_limits<long double>::infinity()
                                             : std::numeric_limits<long double>::quiet_NaN();
  return std::copysign(beyond, x);
}

Wide LowestOf(const std::string& dtype) {
  const NumberFormat& format = FormatOf(dtype);
  return format.kind == F::kSigned ? -(Wide{1} << (format.bits - 1)) : 0;
}

Wide HighestOf(const std::string& dtype) {
  const NumberFormat& format = FormatOf(dtype);
  return (Wide{1} << (format.kind == F::kSigned ? format.bits - 1 : format.bits)) - 1;
}

Wide Wrapped(Wide x, const std::string& dtype) {
  if (FormatOf(dtype).kind == F::kBool) return x != 0;
  const Wide count = Wide{1} << FormatOf(dtype).bits;
  Wide left = x % count;
  if (left < LowestOf(dtype)) left += count;
  if (left > HighestOf(dtype)) left -= count;
  return left;
}

double EpsilonOf(const std::string& dtype) { return std::ldexp(1.0, -FormatOf(dtype).fraction); }

}  // namespace lathe::reference
