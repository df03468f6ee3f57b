// Compares runtime-c/dot.h with its definition for one instruction set. Included after dot.h.
#ifndef LATHE_TESTS_RUNTIME_DOT_CASES_H_
#define LATHE_TESTS_RUNTIME_DOT_CASES_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
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
    // The last of each row begin so that they wrap around.
    constexpr int32_t kLimit = std::numeric_limits<int32_t>::max();
    std::vector<int32_t> sums = {5, 5, kLimit, -kLimit, 5, 5, kLimit, -kLimit}, wanted = sums;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < count; ++k) {
          const int32_t product =
              x[static_cast<size_t>(r * count + k)] * w[static_cast<size_t>(c * step + k)];
          int32_t& sum = wanted[static_cast<size_t>(r * 4 + c)];
          sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(product));
        }
      }
    }
    dots(x.data(), x.data() + count, w.data(), step, count, sums.data());
    EXPECT_EQ(sums, wanted) << count;
  }
}

}  // namespace lathe

#endif  // LATHE_TESTS_RUNTIME_DOT_CASES_H_
