// Values of resize.cc and sample_grid.cc against sampling written as one reads it.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/infer_probe.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using ::testing::HasSubstr;
using testing::InferProbe;
using testing::RandomArray;
using testing::RunOp;
using testing::ShapeArg;
using testing::TypedArray;

double CubicWeight(double d, double a) {
  d = std::fabs(d);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  if (d < 2) return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a;
  return 0;
}

// The image at a place between its elements, those outside it being as the nearest inside.
double Sampled(const Array& x, int64_t n, int64_t c, double y, double w, bool cubic) {
  double sum = 0;
  for (int64_t i = static_cast<int64_t>(std::floor(y)) - 1; i <= std::floor(y) + 2; ++i) {
    for (int64_t j = static_cast<int64_t>(std::floor(w)) - 1; j <= std::floor(w) + 2; ++j) {
      const double wy =
          cubic ? CubicWeight(y - double(i), -0.75) : std::max(0.0, 1 - std::fabs(y - double(i)));
      const double wx =
          cubic ? CubicWeight(w - double(j), -0.75) : std::max(0.0, 1 - std::fabs(w - double(j)));
      const int64_t row = std::clamp<int64_t>(i, 0, x.shape[2] - 1);
      const int64_t column = std::clamp<int64_t>(j, 0, x.shape[3] - 1);
      sum += wy * wx * x[{n, c, row, column}];
    }
  }
  return sum;
}

TEST(ResizeValues, LinearAndCubic) {
  const TypedArray x = RandomArray({2, 3, 5, 7}, "float32", 1);
  for (const bool cubic : {false, true}) {
    Array want({2, 3, 9, 4});
    ForEach(want.shape, [&](const Shape& at) {
      const double y = (double(at[2]) + 0.5) * 5 / 9 - 0.5, w = (double(at[3]) + 0.5) * 7 / 4 - 0.5;
      want[at] = Sampled(x.array, at[0], at[1], y, w, cubic);
    });
    const auto got =
        RunOp("image.resize2d", {x, ShapeArg{{9, 4}}}, {{"method", cubic ? "cubic" : "linear"}});
    ExpectNear(got[0], want, 1e-4, 1e-4);
  }
}

TEST(ResizeValues, CornersOnCorners) {
  const TypedArray x = RandomArray({1, 1, 3, 5}, "float32", 2);
  Array want({1, 1, 5, 3});
  ForEach(want.shape, [&](const Shape& at) {
    want[at] = Sampled(x.array, 0, 0, double(at[2]) / 2, double(at[3]) * 2, false);
  });
  ExpectNear(RunOp("image.resize2d", {x, ShapeArg{{5, 3}}},
                   {{"coordinate_transformation_mode", "align_corners"}})[0],
             want);
}

TEST(ResizeValues, NearestByEachRounding) {
  const TypedArray x = RandomArray({1, 2, 4, 4}, "int8", 3);
  const struct {
    const char* rounding;
    double (*round)(double);
  } kinds[] = {{"floor", [](double v) { return std::floor(v); }},
               {"ceil", [](double v) { return std::ceil(v); }},
               {"round", [](double v) { return std::nearbyint(v); }},
               {"round_prefer_floor", [](double v) { return std::ceil(v - 0.5); }},
               {"round_prefer_ceil", [](double v) { return std::floor(v + 0.5); }}};
  for (const auto& kind : kinds) {
    // Halves: where the roundings differ.
    Array want({1, 2, 8, 8});
    ForEach(want.shape, [&](const Shape& at) {
      const auto from = [&](int64_t i) {
        return std::clamp<int64_t>(static_cast<int64_t>(kind.round(double(i) / 2)), 0, 3);
      };
      want[at] = x.array[{0, at[1], from(at[2]), from(at[3])}];
    });
    ExpectNear(RunOp("image.resize2d", {x, ShapeArg{{8, 8}}},
                     {{"method", "nearest_neighbor"},
                      {"coordinate_transformation_mode", "asymmetric"},
                      {"rounding_method", kind.rounding}})[0],
               want);
  }
}

TEST(ResizeValues, ExcludedTapsLeaveTheirShareToTheOthers) {
  // A constant image stays constant only if the weights still add up to one.
  const TypedArray x{Array({1, 1, 3, 3}, 5.0), "float32"};
  ExpectNear(RunOp("image.resize2d", {x, ShapeArg{{7, 7}}},
                   {{"method", "cubic"}, {"cubic_exclude", 1}})[0],
             Array({1, 1, 7, 7}, 5.0), 1e-5);
}

TEST(ResizeValues, OutsideTheRegionIsTheExtrapolationValue) {
  const TypedArray x{Array({1, 1, 4, 4}, 2.0), "float32"};
  const ir::AttrList roi = {0.0, 0.0, 1.5, 1.0};
  const auto got = RunOp("image.resize2d", {x, ShapeArg{{4, 4}}},
                         {{"roi", roi},
                          {"coordinate_transformation_mode", "tf_crop_and_resize"},
                          {"extrapolation_value", 9.0}});
  // Rows are at 0, 1.5, 3, 4.5: the last is below the image.
  Array want({1, 1, 4, 4}, 2.0);
  for (int64_t j = 0; j < 4; ++j) want[{0, 0, 3, j}] = 9.0;
  ExpectNear(got[0], want);
}

TEST(ResizeValues, ThreeAxesAndOtherLayouts) {
  const TypedArray x = RandomArray({1, 2, 2, 4, 1}, "float32", 4);  // NDHWC
  Array want({1, 4, 4, 2, 1});
  ForEach(want.shape, [&](const Shape& at) {
    want[at] = x.array[{0, at[1] / 2, at[2] / 2, at[3] * 2, 0}];
  });
  ExpectNear(RunOp("image.resize3d", {x, ShapeArg{{4, 4, 2}}},
                   {{"layout", "NDHWC"},
                    {"method", "nearest_neighbor"},
                    {"coordinate_transformation_mode", "asymmetric"}})[0],
             want);
}

TEST(GridSampleValues, ZerosBordersAndReflections) {
  // One row of four elements; places -1.5, 0.25 and 4.5 of it.
  TypedArray x{Array({1, 1, 1, 4}), "float32"};
  for (int64_t i = 0; i < 4; ++i) x.array[{0, 0, 0, i}] = double(i + 1);
  TypedArray grid{Array({1, 2, 1, 3}), "float32"};
  const double places[] = {-1.5, 0.25, 4.5};
  for (int64_t j = 0; j < 3; ++j) grid.array[{0, 0, 0, j}] = (places[j] + 0.5) / 2 - 1;
  const struct {
    const char* padding;
    std::vector<double> want;
  } cases[] = {{"zeros", {0, 1.25, 0}}, {"border", {1, 1.25, 4}}, {"reflection", {1.5, 1.25, 3.5}}};
  for (const auto& c : cases) {
    Array want({1, 1, 1, 3});
    want.data = c.want;
    ExpectNear(RunOp("image.grid_sample", {x, grid}, {{"padding_mode", c.padding}})[0], want, 1e-5,
               1e-5);
  }
}

TEST(GridSampleInference, TheGridHasACoordinateForEachAxis) {
  InferProbe p;
  EXPECT_THAT(p.Infer("image.grid_sample",
                      {p.T("1, 2, 4, 3", "float32"), p.T("1, 5, 6, 2", "float32")}, {}),
              HasSubstr("must be 2, a coordinate for each axis, got 5"));
  EXPECT_EQ(p.Infer("image.grid_sample",
                    {p.T("1, 2, 4, 3", "float32"), p.T("1, 2, 5, n", "float32")}, {}),
            "R.Tensor((1, 2, 5, n), dtype=\"float32\")");
}

TEST(GridSampleValues, CubicAgreesWithResize) {
  const TypedArray x = RandomArray({1, 2, 5, 6}, "float32", 5);
  TypedArray grid{Array({1, 2, 4, 3}), "float32"};
  ForEach(Shape{4, 3}, [&](const Shape& at) {
    grid.array[{0, 0, at[0], at[1]}] = (2 * double(at[1]) + 1) / 3 - 1;
    grid.array[{0, 1, at[0], at[1]}] = (2 * double(at[0]) + 1) / 4 - 1;
  });
  const auto resized = RunOp("image.resize2d", {x, ShapeArg{{4, 3}}}, {{"method", "cubic"}});
  ExpectNear(
      RunOp("image.grid_sample", {x, grid}, {{"method", "bicubic"}, {"padding_mode", "border"}})[0],
      resized[0].array, 1e-4, 1e-4);
}

TEST(AffineGridValues, MatrixTimesPlaces) {
  const TypedArray matrix = RandomArray({2, 2, 3}, "float32", 6);
  for (const bool corners : {false, true}) {
    Array want({2, 2, 3, 5});
    ForEach(want.shape, [&](const Shape& at) {
      const auto along = [&](int64_t i, int64_t size) {
        return corners ? 2.0 * double(i) / double(size - 1) - 1
                       : (2.0 * double(i) + 1) / double(size) - 1;
      };
      const double x = along(at[3], 5), y = along(at[2], 3);
      const auto entry = [&](int64_t k) { return matrix.array[{at[0], at[1], k}]; };
      want[at] = entry(0) * x + entry(1) * y + entry(2);
    });
    ExpectNear(
        RunOp("image.affine_grid", {matrix, ShapeArg{{3, 5}}}, {{"align_corners", corners}})[0],
        want, 1e-5, 1e-5);
  }
}

}  // namespace
}  // namespace lathe::ops
