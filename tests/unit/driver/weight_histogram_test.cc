// Tests the distribution of the values of constants.
#include "generator/driver/view/weight_histogram.h"

#include <cstring>
#include <limits>
#include <numeric>

#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

template <typename T>
ir::Constant Of(ir::DType dtype, const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {dtype,
          {static_cast<int64_t>(values.size())},
          std::make_shared<const std::vector<uint8_t>>(std::move(bytes))};
}

int64_t Sum(const std::vector<int64_t>& bins) {
  return std::accumulate(bins.begin(), bins.end(), int64_t{0});
}

TEST(WeightHistogramTest, Floats) {
  const auto h = HistogramOf(Of<float>(ir::DType::Float(32), {-1, 0, 0, 3}));
  EXPECT_EQ(h.elements, 4);
  EXPECT_EQ(h.read, 4);
  EXPECT_EQ(h.zeros, 2);
  EXPECT_EQ(h.least, -1);
  EXPECT_EQ(h.most, 3);
  EXPECT_EQ(h.mean, 0.5);
  EXPECT_DOUBLE_EQ(h.deviation, 1.5);
  EXPECT_EQ(h.bins.front(), 1);
  EXPECT_EQ(h.bins[8], 2);  // a quarter of the way
  EXPECT_EQ(h.bins.back(), 1);
}

TEST(WeightHistogramTest, Integers) {
  const auto h = HistogramOf(Of<int8_t>(ir::DType::Int(8), {-128, 127, 5, 5}));
  EXPECT_EQ(h.least, -128);
  EXPECT_EQ(h.most, 127);
  EXPECT_EQ(Sum(h.bins), 4);
}

TEST(WeightHistogramTest, EqualValuesAreOneBin) {
  const auto h = HistogramOf(Of<float>(ir::DType::Float(32), {2, 2, 2}));
  EXPECT_EQ(h.bins.front(), 3);
  EXPECT_EQ(h.deviation, 0);
}

TEST(WeightHistogramTest, ValuesThatAreNotFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  const auto h = HistogramOf(Of<float>(ir::DType::Float(32), {inf, -inf, std::nanf(""), 1}));
  EXPECT_EQ(h.not_finite, 3);
  EXPECT_EQ(h.least, 1);
  EXPECT_EQ(Sum(h.bins), 1);
  EXPECT_TRUE(HistogramOf(Of<float>(ir::DType::Float(32), {inf})).bins.empty());
}

TEST(WeightHistogramTest, TheRangeMayOverflow) {
  const double most = std::numeric_limits<double>::max();
  const auto h = HistogramOf(Of<double>(ir::DType::Float(64), {-most, 0, most}));
  EXPECT_EQ(h.bins.front(), 1);
  EXPECT_EQ(h.bins[16], 1);
  EXPECT_EQ(h.bins.back(), 1);
}

TEST(WeightHistogramTest, NoElements) {
  const auto h = HistogramOf(Of<float>(ir::DType::Float(32), {}));
  EXPECT_EQ(h.elements, 0);
  EXPECT_TRUE(h.bins.empty());
}

TEST(WeightHistogramTest, ReadsAPartOfManyValues) {
  const auto h =
      HistogramOf(Of<uint8_t>(ir::DType::UInt(8), std::vector<uint8_t>(3 * kMaxReadElements, 7)));
  EXPECT_EQ(h.elements, 3 * kMaxReadElements);
  EXPECT_EQ(h.read, kMaxReadElements);
}

}  // namespace
}  // namespace lathe::driver
