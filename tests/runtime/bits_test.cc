// Tests packed elements: the C runtime reads and writes them like the interpreter, for every width
// at every position, and preserves adjacent bits.
#include "runtime-c/bits.h"

#include <algorithm>
#include <vector>

#include "generator/interp/data/tensor.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

constexpr int kElements = 19;

std::vector<uint8_t> Pattern(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 73 + 41);
  return bytes;
}

TEST(BitsTest, ReadsAndWritesEveryWidthLikeTheInterpreter) {
  for (int width = 1; width <= 64; ++width) {
    const ir::DType u = ir::DType::UInt(width), i = ir::DType::Int(width);
    const auto bits = static_cast<uint32_t>(width);
    if (u.is_bool() || width % 8 == 0) continue;  // those are in memory as C has them
    const size_t size = ir::StorageBytes(u, kElements);
    ASSERT_EQ(lathe_packed_bytes(kElements, bits), size);
    for (int n = 0; n < kElements; ++n) {
      std::vector<uint8_t> mine = Pattern(size), theirs = mine;
      const auto at = static_cast<uint64_t>(n);
      EXPECT_EQ(lathe_bits_at(mine.data(), bits, n), ReadElement(mine.data(), u, at)) << width;
      EXPECT_EQ(lathe_wrap_i64(lathe_bits_at(mine.data(), bits, n), bits),
                static_cast<int64_t>(ReadElement(mine.data(), i, at)))
          << width;
      const uint64_t value = 0x9e3779b97f4a7c15u * (at + 1);
      lathe_put_bits(mine.data(), bits, n, value);
      WriteElement(theirs.data(), u, at, value);
      EXPECT_EQ(mine, theirs) << width << " bits at " << n;
    }
  }
}

TEST(BitsTest, TwoOfFourBitsLieInAByte) {
  std::vector<uint8_t> mine = Pattern(10), theirs = mine;
  for (int n = 0; n < 20; ++n) {
    const auto at = static_cast<uint64_t>(n);
    EXPECT_EQ(lathe_u4_at(mine.data(), n), ReadElement(mine.data(), ir::DType::UInt(4), at));
    EXPECT_EQ(lathe_i4_at(mine.data(), n),
              static_cast<int64_t>(ReadElement(mine.data(), ir::DType::Int(4), at)));
    for (int value = -8; value < 16; ++value) {
      lathe_put_i4(mine.data(), n, value);
      WriteElement(theirs.data(), ir::DType::Int(4), at, static_cast<Bits>(value));
      EXPECT_EQ(mine, theirs) << value << " at " << n;
    }
  }
  const uint8_t first_is_low[] = {0x21};
  EXPECT_EQ(lathe_u4_at(first_is_low, 0), 1);
  EXPECT_EQ(lathe_u4_at(first_is_low, 1), 2);
}

TEST(BitsTest, NumbersWrapAndAreClamped) {
  for (int value = -40; value <= 40; ++value) {
    EXPECT_EQ(lathe_wrap_i4(value), ((value + 8) % 16 + 16) % 16 - 8) << value;
    EXPECT_EQ(lathe_clamp_i64(value, 5), std::clamp(value, -16, 15)) << value;
  }
  EXPECT_EQ(lathe_wrap_i64(0x8000000000000000u, 64), INT64_MIN);
  EXPECT_EQ(lathe_clamp_i64(INT64_MAX, 63), INT64_MAX / 2);
  EXPECT_EQ(lathe_clamp_i64(INT64_MIN, 63), INT64_MIN / 2);
}

TEST(BitsTest, ClearsBitsAfterTheLastElement) {
  uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff};
  lathe_clear_after(bytes, 0, 4);
  lathe_clear_after(bytes, 4, 4);
  EXPECT_EQ(bytes[1], 0xff);
  lathe_clear_after(bytes, 3, 4);
  EXPECT_EQ(bytes[1], 0x0f);
  lathe_clear_after(bytes, 5, 6);  // 30 bits
  EXPECT_EQ(bytes[3], 0x3f);
  EXPECT_EQ(bytes[2], 0xff);
  EXPECT_EQ(lathe_packed_bytes(SIZE_MAX, 4), SIZE_MAX);
  EXPECT_EQ(lathe_packed_bytes(SIZE_MAX / 4, 4), SIZE_MAX / 8 + 1);
}

}  // namespace
}  // namespace lathe::interp
