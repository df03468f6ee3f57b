// Compares runtime-c/panels.h, products.h, depthwise.h and requantize.h with their definitions, for
// each instruction set of this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#define LATHE_LEVEL_FUNCTIONS(level)                                                              \
  void lathe_test_panels_##level(const int8_t* const* x, int32_t rows, const int8_t* w,           \
                                 int32_t panels, int32_t count, int32_t* sums);                   \
  void lathe_test_requantize_##level(const int32_t* sums, const int32_t* factors, int32_t factor, \
                                     int32_t count, int64_t start, int32_t shift, int8_t* out);   \
  void lathe_test_depthwise_##level(const int8_t* x, const int8_t* w, const int32_t* bias,        \
                                    const int32_t* factors, int32_t columns, int32_t channels,    \
                                    int32_t step, int32_t line, int32_t window, int64_t start,    \
                                    int32_t shift, int8_t* out);                                  \
  void lathe_test_products_##level(const int8_t* x, const int8_t* w, const int32_t* bias,         \
                                   const int32_t* factors, int32_t rows, int32_t step,            \
                                   int32_t pieces, int32_t pitch, int32_t count, int32_t columns, \
                                   int64_t start, int32_t shift, int8_t* out)
#define LATHE_LEVEL_ROW(level, has)                                        \
  Level {                                                                  \
#level, has, lathe_test_panels_##level, lathe_test_requantize_##level, \
        lathe_test_depthwise_##level, lathe_test_products_##level          \
  }

extern "C" {
LATHE_LEVEL_FUNCTIONS(plain);
#if defined(__x86_64__)
LATHE_LEVEL_FUNCTIONS(sse2);
LATHE_LEVEL_FUNCTIONS(avx2);
LATHE_LEVEL_FUNCTIONS(avx512);
LATHE_LEVEL_FUNCTIONS(vnni);
#endif
}

namespace lathe {
namespace {

struct Level {
  const char* name;
  bool is_here;
  decltype(lathe_test_panels_plain)* panels;
  decltype(lathe_test_requantize_plain)* requantize;
  decltype(lathe_test_depthwise_plain)* depthwise;
  decltype(lathe_test_products_plain)* products;
};

std::vector<Level> Levels() {
  std::vector<Level> levels = {LATHE_LEVEL_ROW(plain, true)};
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq");
  levels.push_back(LATHE_LEVEL_ROW(sse2, true));
  levels.push_back(LATHE_LEVEL_ROW(avx2, __builtin_cpu_supports("avx2") != 0));
  levels.push_back(LATHE_LEVEL_ROW(avx512, avx512));
  levels.push_back(LATHE_LEVEL_ROW(vnni, avx512 && __builtin_cpu_supports("avx512vnni")));
#endif
  std::erase_if(levels, [](const Level& l) { return !l.is_here; });
  return levels;
}

template <typename T>
std::vector<T> Random(int64_t count, int64_t low, int64_t high, std::mt19937& random) {
  std::uniform_int_distribution<int64_t> any(low, high);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& v : values) v = static_cast<T>(any(random));
  return values;
}

int8_t Requantized(int64_t sum, int64_t factor, int64_t start, int32_t shift, int32_t lo) {
  const int64_t scaled = (sum * factor + start) >> shift;
  return static_cast<int8_t>(std::min<int64_t>(std::max<int64_t>(scaled, lo), 127));
}

TEST(Int8Level, RowsWithPanels) {
  for (const Level& level : Levels()) {
    std::mt19937 random(2);
    for (int32_t count : {1, 2, 3, 4, 9, 16, 47, 127, 128, 129, 300}) {
      for (int32_t panels : {1, 2, 3, 4, 5}) {
        const auto n = static_cast<size_t>(count);
        const size_t fours = (n + 3) / 4;
        const auto x = Random<int8_t>(4 * count, -128, 127, random);
        std::vector<int8_t> w(static_cast<size_t>(panels) * fours * 64);
        for (size_t at = 0; at < w.size(); ++at) {
          const size_t k = at / 64 % fours * 4 + at % 4;
          if (k < n) w[at] = static_cast<int8_t>(random());
        }
        for (int32_t rows : {1, 2, 3, 4}) {
          std::vector<int32_t> sums(static_cast<size_t>(rows * panels * 16), -9), wanted = sums;
          for (size_t at = 0; at < sums.size(); ++at) {
            const size_t r = at / 16 / static_cast<size_t>(panels);
            const size_t p = at / 16 % static_cast<size_t>(panels), c = at % 16;
            for (size_t k = 0; k < n; ++k) {
              wanted[at] += x[r * n + k] * w[(p * fours + k / 4) * 64 + 4 * c + k % 4];
            }
          }
          const int8_t* const from[4] = {&x[0], &x[n], &x[2 * n], &x[3 * n]};
          level.panels(from, rows, w.data(), panels, count, sums.data());
          EXPECT_EQ(sums, wanted) << level.name << ": " << rows << " rows, " << panels
                                  << " panels, " << count;
        }
      }
    }
  }
}

// Of both signs, beyond both limits, and with shifts on both sides of 32.
TEST(Int8Level, SumsBecomeSmall) {
  for (const Level& level : Levels()) {
    std::mt19937 random(3);
    for (int32_t shift : {8, 31, 32, 33, 38, 53}) {
      for (int32_t count : {1, 7, 8, 15, 16, 17, 40}) {
        // What is left after the shift has 30 bits.
        const int64_t most = std::min<int64_t>(int64_t{1} << std::min(shift, 29), 1 << 29);
        const auto sums = Random<int32_t>(count, -most, most, random);
        const auto factors = Random<int32_t>(count, 0, (int64_t{1} << 31) - 1, random);
        const int64_t start = (int64_t{1} << (shift - 1)) - (int64_t{7} << shift);
        for (bool one : {false, true}) {
          std::vector<int8_t> out(static_cast<size_t>(count) + 1, 99), wanted = out;
          for (size_t i = 0; i + 1 < out.size(); ++i) {
            wanted[i] = Requantized(sums[i], one ? 1234567891 : factors[i], start, shift, -100);
          }
          level.requantize(sums.data(), one ? nullptr : factors.data(), 1234567891, count, start,
                           shift, out.data());
          EXPECT_EQ(out, wanted) << level.name << ": " << count << " by " << shift;
        }
      }
    }
  }
}

// Windows that overlap, and those of a stride.
TEST(Int8Level, Depthwise) {
  struct Shape {
    int32_t window, channels, stride, columns;
  };
  std::vector<Shape> shapes;
  for (int32_t window : {2, 3, 5}) {
    for (int32_t channels : {1, 3, 4, 8, 12, 16, 24, 32, 40}) {
      for (int32_t stride : {1, 2}) {
        for (int32_t columns : {1, 2, 5, 16}) shapes.push_back({window, channels, stride, columns});
      }
    }
  }
  for (const Level& level : Levels()) {
    std::mt19937 random(4);
    for (const Shape& s : shapes) {
      const int32_t step = s.stride * s.channels, places = s.window * s.window;
      const int32_t line = (s.columns - 1) * step + s.window * s.channels + 1;
      const auto x = Random<int8_t>(s.window * line, -128, 127, random);
      const auto w = Random<int8_t>(places * s.channels, -128, 127, random);
      const auto bias = Random<int32_t>(s.channels, -9000, 9000, random);
      const auto factors = Random<int32_t>(s.channels, 1 << 30, (int64_t{1} << 31) - 1, random);
      const int32_t shift = 40;
      const int64_t start = (int64_t{1} << (shift - 1)) + (int64_t{5} << shift);
      for (bool one : {false, true}) {
        std::vector<int8_t> out(static_cast<size_t>(s.columns * s.channels) + 1, 99), wanted = out;
        for (int32_t at = 0; at < s.columns * s.channels; ++at) {
          const int32_t column = at / s.channels, c = at % s.channels;
          int32_t sum = bias[static_cast<size_t>(c)];
          for (int32_t k = 0; k < places; ++k) {
            const int32_t from =
                column * step + k / s.window * line + k % s.window * s.channels + c;
            sum += x[static_cast<size_t>(from)] * w[static_cast<size_t>(k * s.channels + c)];
          }
          const int64_t factor = one ? 1900000000 : factors[static_cast<size_t>(c)];
          wanted[static_cast<size_t>(at)] = Requantized(sum, factor, start, shift, -128);
        }
        level.depthwise(x.data(), w.data(), bias.data(), one ? nullptr : factors.data(), s.columns,
                        s.channels, step, line, s.window, start, shift, out.data());
        EXPECT_EQ(out, wanted) << level.name << ": " << s.columns << " of " << s.channels << ", "
                               << s.window << " by " << s.stride;
      }
    }
  }
}

// Rows that overlap, as windows of a line do, in pieces; and what is left of rows, columns and k.
TEST(Int8Level, Products) {
  struct Shape {
    int32_t rows, pieces, count, columns, shift;
  };
  const Shape shapes[] = {{1, 1, 1, 1, 38},    {2, 1, 8, 16, 38},   {3, 3, 9, 8, 36},
                          {4, 1, 27, 33, 40},  {5, 10, 4, 64, 40},  {6, 2, 30, 17, 37},
                          {7, 1, 255, 40, 42}, {8, 1, 257, 12, 42}, {9, 3, 192, 100, 44},
                          {13, 2, 33, 70, 31}, {21, 1, 64, 48, 41}};
  for (const Level& level : Levels()) {
    std::mt19937 random(5);
    for (const Shape& s : shapes) {
      const int32_t step = s.count / 2 + 1, pitch = (s.rows - 1) * step + s.count + 3;
      const int32_t fours = (s.count + 3) / 4, panels = (s.columns + 15) / 16;
      // No byte after the last element of the last row is read.
      const auto x = Random<int8_t>(s.pieces * pitch - 3, -128, 127, random);
      std::vector<int8_t> w(static_cast<size_t>(panels * s.pieces * fours) * 64);
      const auto weight = [&](int32_t c, int32_t p, int32_t k) -> int8_t& {
        const int32_t group = (c / 16 * s.pieces + p) * fours + k / 4;
        return w[static_cast<size_t>(group * 64 + c % 16 * 4 + k % 4)];
      };
      for (int32_t c = 0; c < s.columns; ++c) {
        for (int32_t p = 0; p < s.pieces; ++p) {
          for (int32_t k = 0; k < s.count; ++k) weight(c, p, k) = static_cast<int8_t>(random());
        }
      }
      const auto bias = Random<int32_t>(s.columns, -90000, 90000, random);
      const int64_t most = s.shift < 33 ? 1 << 24 : (int64_t{1} << 31) - 1;
      const auto factors = Random<int32_t>(s.columns, most / 2, most, random);
      const int64_t start = (int64_t{1} << (s.shift - 1)) - (int64_t{9} << s.shift);
      for (bool one : {false, true}) {
        if (one && s.shift < 33) continue;
        std::vector<int8_t> out(static_cast<size_t>(s.rows * s.columns) + 1, 99), wanted = out;
        for (int32_t at = 0; at < s.rows * s.columns; ++at) {
          const int32_t r = at / s.columns, c = at % s.columns;
          int64_t sum = bias[static_cast<size_t>(c)];
          for (int32_t p = 0; p < s.pieces; ++p) {
            for (int32_t k = 0; k < s.count; ++k) {
              sum += x[static_cast<size_t>(r * step + p * pitch + k)] * weight(c, p, k);
            }
          }
          const int64_t factor = one ? 1900000000 : factors[static_cast<size_t>(c)];
          wanted[static_cast<size_t>(at)] =
              std::min<int8_t>(Requantized(sum, factor, start, s.shift, -128), 100);
        }
        level.products(x.data(), w.data(), bias.data(), one ? nullptr : factors.data(), s.rows,
                       step, s.pieces, pitch, s.count, s.columns, start, s.shift, out.data());
        EXPECT_EQ(out, wanted) << level.name << ": " << s.rows << " rows of " << s.pieces << " by "
                               << s.count << ", " << s.columns << " columns";
      }
    }
  }
}

}  // namespace
}  // namespace lathe
