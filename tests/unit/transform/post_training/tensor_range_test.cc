// Tests the histogram of observed values and the ranges that are chosen from it.
#include "generator/transform/post_training/tensor_range.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace lathe::transform {
namespace {

interp::TensorRef Floats(const std::vector<float>& values) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  auto tensor =
      interp::NewTensor(ir::DType::Float(32), {static_cast<int64_t>(values.size())}, budget);
  for (size_t i = 0; i < values.size(); ++i) {
    (*tensor)->Set(i, interp::FromDouble(ir::DType::Float(32), static_cast<double>(values[i])));
  }
  return *tensor;
}

// A ramp from -1 to 1 of many values, and an outlier.
TensorRange WithOutlier(float outlier) {
  TensorRange range;
  std::vector<float> values;
  for (int i = -5000; i <= 5000; ++i) values.push_back(static_cast<float>(i) / 5000);
  range.Add(*Floats(values));
  range.Add(*Floats({outlier}));
  return range;
}

RangeChoice By(RangeMethod method, double percentile = 99.9) {
  RangeChoice choice;
  choice.method = method;
  choice.percentile = percentile;
  return choice;
}

TEST(TensorRangeTest, MinMaxCoversEverything) {
  const ValueRange range = WithOutlier(40).Choose(By(RangeMethod::kMinMax), 256);
  EXPECT_FLOAT_EQ(range.low, -1);
  EXPECT_FLOAT_EQ(range.high, 40);
}

TEST(TensorRangeTest, OtherMethodsDropAnOutlier) {
  for (const RangeMethod method : {RangeMethod::kPercentile, RangeMethod::kEntropy}) {
    const ValueRange range = WithOutlier(40).Choose(By(method), 256);
    EXPECT_LT(range.high, 10) << static_cast<int>(method);
    EXPECT_LE(range.low, -0.9);
  }
}

// The sum of squared errors of the values after quantization to int8.
double ErrorOf(const std::vector<float>& values, const ValueRange& range) {
  const AffineScale scale = ScaleOf(range, ir::DType::Int(8));
  double error = 0;
  for (const float value : values) {
    const double step = static_cast<double>(scale.scale);
    const double zero = static_cast<double>(scale.zero);
    const double q =
        std::clamp(std::nearbyint(static_cast<double>(value) / step) + zero, -128.0, 127.0);
    error += std::pow((q - zero) * step - static_cast<double>(value), 2);
  }
  return error;
}

TEST(TensorRangeTest, SquaredErrorIsLessThanThatOfOtherRanges) {
  // Values whose tail is exponential.
  std::vector<float> values;
  for (int i = 1; i < 50000; ++i) {
    const float tail = -std::log(static_cast<float>(i) / 50000);
    values.push_back(tail);
    values.push_back(-tail / 4);
  }
  TensorRange range;
  range.Add(*Floats(values));
  const double chosen = ErrorOf(values, range.Choose(By(RangeMethod::kSquaredError), 256));
  for (const RangeMethod method :
       {RangeMethod::kMinMax, RangeMethod::kPercentile, RangeMethod::kEntropy}) {
    EXPECT_LT(chosen, ErrorOf(values, range.Choose(By(method), 256))) << static_cast<int>(method);
  }
}

TEST(TensorRangeTest, SquaredErrorKeepsValuesThatMatter) {
  // Half of the values are at the ends.
  TensorRange range;
  range.Add(*Floats(std::vector<float>(100, 3.0F)));
  range.Add(*Floats(std::vector<float>(100, -2.0F)));
  const ValueRange chosen = range.Choose(By(RangeMethod::kSquaredError), 256);
  EXPECT_NEAR(chosen.high, 3, 0.1);
  EXPECT_NEAR(chosen.low, -2, 0.1);
}

TEST(TensorRangeTest, WideningKeepsTheCounts) {
  TensorRange range;
  std::vector<float> small;
  for (int i = 0; i < 1000; ++i) small.push_back(static_cast<float>(i) / 1e6F);
  range.Add(*Floats(small));
  range.Add(*Floats({-7.0F, 1000.0F, 0.0F}));
  EXPECT_EQ(range.count(), 1003U);
  uint64_t total = 0;
  for (const uint64_t bin : range.Histogram(16)) total += bin;
  EXPECT_EQ(total, 1003U);
  EXPECT_FLOAT_EQ(range.observed().low, -7);
  EXPECT_FLOAT_EQ(range.observed().high, 1000);
}

TEST(TensorRangeTest, ZerosAndInfinities) {
  TensorRange range;
  range.Add(*Floats({0, 0, 0}));
  EXPECT_TRUE(range.is_finite());
  EXPECT_EQ(range.Choose(By(RangeMethod::kSquaredError), 256).high, 0);
  EXPECT_EQ(ScaleOf(range.observed(), ir::DType::Int(8)).scale, 1);
  range.Add(*Floats({INFINITY}));
  EXPECT_FALSE(range.is_finite());
}

TEST(TensorRangeTest, ScalesRepresentZeroExactly) {
  for (const ValueRange range : {ValueRange{-1, 3}, ValueRange{0, 6}, ValueRange{-0.3, 0},
                                 ValueRange{0.5, 2}, ValueRange{-4, -1}}) {
    for (const ir::DType dtype : {ir::DType::Int(8), ir::DType::UInt(8), ir::DType::Int(16)}) {
      const AffineScale scale = ScaleOf(range, dtype);
      EXPECT_GE(scale.zero, LowestInteger(dtype));
      EXPECT_LE(scale.zero, HighestInteger(dtype));
      const auto at = [&](int64_t q) {
        return static_cast<double>(q - scale.zero) * static_cast<double>(scale.scale);
      };
      // The ends are within half a step of the range.
      EXPECT_LE(at(LowestInteger(dtype)),
                std::min(range.low, 0.0) + static_cast<double>(scale.scale));
      EXPECT_GE(at(HighestInteger(dtype)),
                std::max(range.high, 0.0) - static_cast<double>(scale.scale));
    }
  }
}

}  // namespace
}  // namespace lathe::transform
