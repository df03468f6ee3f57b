// The sums of products that runtime-c/dot.h has for one set of instructions, against their
// definition. Included behind it.
#ifndef LATHE_TESTS_RUNTIME_DOT_CASES_H_
#define LATHE_TESTS_RUNTIME_DOT_CASES_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace lathe {

inline std::vector<int8_t> RandomBytes(int64_t count, std::mt19937& random) {
  std::uniform_int_distribution<int> any(-128, 127);
  std::vector<int8_t> bytes(static_cast<size_t>(count));
  for (int8_t& b : bytes) b = static_cast<int8_t>(any(random));
  return bytes;
}

// dots(x0, x1, w, step, count, sums) of two rows with four.
template <typename Dots>
void CheckRowsWithRows(Dots dots, int rows) {
  std::mt19937 random(1);
  for (int32_t count : {0, 1, 7, 8, 31, 33, 70}) {
    const int32_t step = count + 3;
    const std::vector<int8_t> x = RandomBytes(2 * count, random), w = RandomBytes(4 * step, random);
    std::vector<int32_t> sums(8, 5), wanted(8, 5);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < count; ++k) {
          wanted[static_cast<size_t>(r * 4 + c)] +=
              x[static_cast<size_t>(r * count + k)] * w[static_cast<size_t>(c * step + k)];
        }
      }
    }
    dots(x.data(), x.data() + count, w.data(), step, count, sums.data());
    EXPECT_EQ(sums, wanted) << count;
  }
}

// panels(x0, x1, x2, x3, rows, w, panels, count, sums) of up to four rows with panels of 16.
template <typename Panels>
void CheckPanels(Panels dots) {
  std::mt19937 random(2);
  for (int32_t count : {1, 2, 9, 16, 47}) {
    for (int32_t panels : {1, 2, 3}) {
      for (int32_t rows : {1, 2, 3, 4}) {
        const int32_t pairs = (count + 1) / 2;
        const std::vector<int8_t> x = RandomBytes(4 * count, random),
                                  w = RandomBytes(panels * pairs * 32, random);
        std::vector<int32_t> sums(static_cast<size_t>(rows * panels * 16), -9), wanted = sums;
        for (int32_t r = 0; r < rows; ++r) {
          for (int32_t p = 0; p < panels; ++p) {
            for (int32_t c = 0; c < 16; ++c) {
              for (int32_t k = 0; k < count; ++k) {
                wanted[static_cast<size_t>((r * panels + p) * 16 + c)] +=
                    x[static_cast<size_t>(r * count + k)] *
                    w[static_cast<size_t>((p * pairs + k / 2) * 32 + 2 * c + k % 2)];
              }
            }
          }
        }
        dots(x.data(), x.data() + count, x.data() + 2 * count, x.data() + 3 * count, rows, w.data(),
             panels, count, sums.data());
        EXPECT_EQ(sums, wanted) << rows << " rows, " << panels << " panels, " << count;
      }
    }
  }
}

}  // namespace lathe

#endif  // LATHE_TESTS_RUNTIME_DOT_CASES_H_
