// requantize against the definition of TensorFlow Lite, with exact rational rounding.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using testing::ExpectOp;
using testing::TypedArray;

// a / 2^n rounded to nearest; halves go up, or away from zero.
__int128 RoundedQuotient(__int128 a, int n, bool away) {
  if (n == 0) return a;
  const __int128 unit = static_cast<__int128>(1) << n;
  const bool negative = a < 0;
  const __int128 size = negative ? -a : a;
  const __int128 whole = size / unit, rest = size % unit;
  const bool up = 2 * rest > unit || (2 * rest == unit && (away || !negative));
  return (negative ? -1 : 1) * (whole + (up ? 1 : 0));
}

int64_t Twice(int64_t x, int64_t mantissa, int64_t shift) {
  const auto lifted = static_cast<int32_t>(static_cast<uint32_t>(x) << std::max<int64_t>(shift, 0));
  const __int128 high = RoundedQuotient(static_cast<__int128>(lifted) * mantissa, 31, false);
  return static_cast<int64_t>(
      RoundedQuotient(high, static_cast<int>(std::max<int64_t>(-shift, 0)), true));
}

int64_t Once(int64_t x, int64_t mantissa, int64_t shift) {
  const int64_t shorter = mantissa < 0x7FFF0000 ? (mantissa + 0x8000) / 0x10000 : 0x7FFF;
  return static_cast<int64_t>(
      RoundedQuotient(static_cast<__int128>(x) * shorter, static_cast<int>(15 - shift), false));
}

TypedArray Whole(const Shape& shape, const std::string& dtype, const std::vector<int64_t>& values) {
  TypedArray array{Array(shape), dtype};
  array.array.data.assign(values.begin(), values.end());
  array.whole = values;
  return array;
}

const Shape kSumShapes[] = {{}, {1}, {5}, {0}, {3, 4}, {2, 0, 3}, {2, 3, 1, 4}};
const char* const kOut[] = {"int8", "uint8", "int16", "int32"};

TEST(RequantizeSweep, RoundsTwiceOrOnce) {
  std::mt19937_64 random(7);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  for (int round = 0; round < 300; ++round) {
    const Shape& shape = kSumShapes[static_cast<size_t>(round) % std::size(kSumShapes)];
    const bool twice = round % 2 == 0, each = round % 3 != 0 && !shape.empty();
    const std::string out = kOut[static_cast<size_t>(round / 2) % std::size(kOut)];
    const auto axis = shape.empty() ? 0 : between(0, std::ssize(shape) - 1);
    const int64_t length = each ? shape[static_cast<size_t>(axis)] : 1;
    std::vector<int64_t> mantissas, shifts, sums, want;
    for (int64_t i = 0; i < length; ++i) {
      mantissas.push_back(between(0, 9) == 0 ? 0 : between(int64_t{1} << 30, 0x7FFFFFFF));
      shifts.push_back(between(-31, twice ? 6 : 3));
    }
    const int64_t zero = between(-100, 100), low = between(-120, 0), high = between(0, 127);
    int64_t count = 1, inner = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      count *= shape[i];
      if (static_cast<int64_t>(i) > axis) inner *= shape[i];
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t limit = int64_t{1} << between(1, twice ? 31 : 46);
      sums.push_back(between(-limit, limit - 1));
      const auto k = static_cast<size_t>(each ? i / inner % length : 0);
      const int64_t scaled = twice ? Twice(sums.back(), mantissas[k], shifts[k])
                                   : Once(sums.back(), mantissas[k], shifts[k]);
      const int64_t least = out == "uint8" ? std::max<int64_t>(low, 0) : low;
      want.push_back(
          std::clamp(static_cast<int64_t>(static_cast<int32_t>(scaled)) + zero, least, high));
    }
    const int64_t least = out == "uint8" ? std::max<int64_t>(low, 0) : low;
    const Shape factors = each ? Shape{length} : Shape{};
    ExpectOp("lathe.requantize",
             {Whole(shape, twice ? "int32" : "int64", sums), Whole(factors, "int32", mantissas),
              Whole(factors, "int32", shifts)},
             {{"axis", axis},
              {"zero_point", zero},
              {"low", least},
              {"high", high},
              {"rounding", twice ? "twice" : "once"},
              {"out_dtype", *ir::ParseDType(out)}},
             {Whole(shape, out, want)});
  }
}

}  // namespace
}  // namespace lathe::ops
