#include "generator/emit/c/print_numbers.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

template <typename T>
std::string Text(ir::DType dtype, const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return NumbersText(dtype, bytes);
}

TEST(PrintNumbersTest, Integers) {
  EXPECT_EQ(Text<int8_t>(ir::DType::Int(8), {-128, 0, 127}), "-128, 0, 127,");
  EXPECT_EQ(Text<uint8_t>(ir::DType::UInt(8), {0, 255}), "0, 255,");
  EXPECT_EQ(Text<int16_t>(ir::DType::Int(16), {-32768, 32767}), "-32768, 32767,");
  EXPECT_EQ(Text<int32_t>(ir::DType::Int(32), {std::numeric_limits<int32_t>::min(), 7}),
            "INT32_MIN, 7,");
  EXPECT_EQ(Text<uint32_t>(ir::DType::UInt(32), {4294967295u, 0}), "4294967295u, 0u,");
  EXPECT_EQ(Text<int64_t>(ir::DType::Int(64), {std::numeric_limits<int64_t>::min(), -3}),
            "INT64_MIN, INT64_C(-3),");
  EXPECT_EQ(Text<uint8_t>(ir::DType::Bool(), {0, 1}), "0, 1,");
}

TEST(PrintNumbersTest, FloatsReadBackExactly) {
  EXPECT_EQ(Text<float>(ir::DType::Float(32), {0.0301f, -0.0f, 1.0f, 16777216.0f, 3.4028235e38f}),
            "0.0301f, -0.0f, 1.0f, 16777216.0f, 3.4028235e+38f,");
  EXPECT_EQ(Text<double>(ir::DType::Float(64), {0.1}), "0.1,");
}

TEST(PrintNumbersTest, OthersAreWords) {
  EXPECT_EQ(Text<float>(ir::DType::Float(32), {std::numeric_limits<float>::quiet_NaN()}), "");
  EXPECT_EQ(Text<float>(ir::DType::Float(32), {-std::numeric_limits<float>::infinity()}), "");
  EXPECT_EQ(Text<float>(ir::DType::Float(32), {1e-40f}), "");
  EXPECT_EQ(Text<uint16_t>(ir::DType::Float(16), {0x3c00}), "");
  EXPECT_EQ(Text<uint8_t>(ir::DType::Int(4), {0x21}), "");
  EXPECT_EQ(Text<int8_t>(ir::DType::Int(8), {}), "");
  EXPECT_EQ(Text<int32_t>(ir::DType::Int(32), {1}), "");
  EXPECT_EQ(Text(ir::DType::Int(8), std::vector<int8_t>(kMaxNumbers + 1)), "");
  EXPECT_NE(Text(ir::DType::Int(8), std::vector<int8_t>(kMaxNumbers)), "");
}

TEST(PrintNumbersTest, LinesHaveAtMost96Columns) {
  const std::string text = Text(ir::DType::Int(32), std::vector<int32_t>(100, -123456));
  EXPECT_EQ(text.find('\n'), 89u);
}

}  // namespace
}  // namespace lathe::emit
