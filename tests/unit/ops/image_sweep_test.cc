// Resizing and sampling of images over dtypes, layouts, methods and the ways to place and to pad.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/image.h"
#include "tests/reference/layout.h"
#include "tests/support/expect_op.h"
#include "tests/support/infer_probe.h"
#include "tests/support/pairwise.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::InLayout;
using reference::ResizeNumbers;
using reference::SampleNumbers;
using reference::Shape;
using testing::ExpectOp;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Ints;
using testing::RandomArray;
using testing::ShapeArg;
using testing::TypedArray;

const char* const kModes[] = {"half_pixel",         "align_corners",        "asymmetric",
                              "pytorch_half_pixel", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
const char* const kRoundingModes[] = {
    "", "round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"};
struct ImageSizes {
  Shape from, to;
};
// By ratios that float32 holds, so that halves are halves.
const ImageSizes kSizes2d[] = {
    {{4, 3}, {8, 6}}, {{5, 7}, {4, 2}}, {{1, 4}, {4, 1}}, {{3, 6}, {1, 8}}, {{2, 5}, {2, 4}}};
const ImageSizes kSizes3d[] = {
    {{2, 3, 4}, {4, 2, 2}}, {{3, 1, 2}, {1, 4, 4}}, {{2, 5, 3}, {2, 4, 1}}};
struct Region {
  std::vector<double> starts, ends;
};
const Region kRegions[] = {
    {{0, 0, 0}, {1, 1, 1}}, {{0.25, -0.5, 0}, {0.75, 1, 0.5}}, {{0, 0.5, 0.25}, {1.5, 2, 1}}};
const std::pair<int64_t, int64_t> kLeading[] = {{1, 1}, {2, 2}, {1, 3}, {0, 2}, {2, 0}};

// Places are kept in float32 for all but float64, and each is a few roundings away from the
// exact one; what is between elements up to 8 apart moves with it.
double RoundingsOf(const std::string& dtype) {
  return dtype == "float32" || dtype == "float64" ? 128 : 1;
}

// One call; nothing of it depends on the order of the axes but the names.
void ExpectResize(const std::string& op, const TypedArray& x, const ImageSizes& sizes,
                  const ResizeNumbers& n, const std::string& rounding, bool last,
                  const std::string& out_dtype) {
  const bool deep = sizes.to.size() == 3;
  const std::string axes = deep ? "NCDHW" : "NCHW";
  const std::string layout = !last ? axes : deep ? "NDHWC" : "NHWC";
  std::vector<double> roi = n.starts;
  roi.insert(roi.end(), n.ends.begin(), n.ends.end());
  ir::AttrMap attrs = {{"method", n.method},
                       {"coordinate_transformation_mode", n.mode},
                       {"rounding_method", rounding},
                       {"cubic_alpha", n.alpha},
                       {"cubic_exclude", n.excludes ? 1 : 0},
                       {"extrapolation_value", n.outside},
                       {"roi", Floats(roi)},
                       {"layout", layout}};
  if (out_dtype != x.dtype) attrs["out_dtype"] = *ir::ParseDType(out_dtype);
  const Array want = Resize(x.array, sizes.to, n);
  ExpectOp(op, {TypedArray{InLayout(x.array, axes, layout), x.dtype}, ShapeArg{sizes.to}}, attrs,
           {{InLayout(want, axes, layout), out_dtype}},
           n.method == "nearest_neighbor" ? 0 : RoundingsOf(out_dtype));
}

TypedArray Image(const Shape& size, const std::pair<int64_t, int64_t>& leading,
                 const std::string& dtype, uint32_t seed) {
  Shape shape = {leading.first, leading.second};
  shape.insert(shape.end(), size.begin(), size.end());
  return RandomArray(shape, dtype, seed);
}

ResizeNumbers ResizeNumbersOf(size_t rank, const std::string& method, const std::string& mode,
                              const Region& region) {
  ResizeNumbers n;
  n.method = method;
  n.mode = mode;
  n.starts.assign(region.starts.begin(), region.starts.begin() + static_cast<int>(rank));
  n.ends.assign(region.ends.begin(), region.ends.begin() + static_cast<int>(rank));
  return n;
}

template <size_t kCount>
void SweepNearest(const std::string& op, const ImageSizes (&sizes)[kCount]) {
  const char* const kDTypes[] = {"float32", "float64", "float16", "bfloat16",
                                 "int8",    "uint8",   "int32",   "int64"};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kDTypes), kCount, std::size(kModes), std::size(kRoundingModes),
                          std::size(kRegions), std::size(kLeading), 2})) {
    const ImageSizes& s = sizes[pick[1]];
    ResizeNumbers n =
        ResizeNumbersOf(s.to.size(), "nearest_neighbor", kModes[pick[2]], kRegions[pick[4]]);
    n.rounding = kRoundingModes[pick[3]];
    n.outside = 3;
    if (n.rounding.empty()) n.rounding = n.mode == "align_corners" ? "round" : "floor";
    const TypedArray x = Image(s.from, kLeading[pick[5]], kDTypes[pick[0]], seed++);
    ExpectResize(op, x, s, n, kRoundingModes[pick[3]], pick[6] == 1, x.dtype);
  }
  // Half way between two elements each way of placing and each of rounding shows.
  for (const char* mode : kModes) {
    for (const char* rounding : kRoundingModes) {
      ResizeNumbers n = ResizeNumbersOf(sizes[0].to.size(), "nearest_neighbor", mode, kRegions[0]);
      n.rounding = rounding;
      if (n.rounding.empty()) n.rounding = n.mode == "align_corners" ? "round" : "floor";
      const TypedArray x = Image(sizes[0].from, {1, 1}, "float32", seed++);
      ExpectResize(op, x, sizes[0], n, rounding, false, x.dtype);
    }
  }
}

template <size_t kCount>
void SweepBetween(const std::string& op, const ImageSizes (&sizes)[kCount]) {
  struct Kinds {
    const char *from, *to;
  };
  const Kinds kKinds[] = {{"float32", "float32"}, {"float64", "float64"},   {"float16", "float16"},
                          {"int8", "float32"},    {"bfloat16", "bfloat16"}, {"float32", "float16"}};
  const double kAlphas[] = {-0.75, -0.5};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kKinds), kCount, std::size(kModes), 2, std::size(kRegions),
                          std::size(kLeading), 2, std::size(kAlphas), 2})) {
    const ImageSizes& s = sizes[pick[1]];
    ResizeNumbers n = ResizeNumbersOf(s.to.size(), pick[3] == 0 ? "linear" : "cubic",
                                      kModes[pick[2]], kRegions[pick[4]]);
    n.alpha = kAlphas[pick[7]];
    n.excludes = pick[8] == 1;
    n.outside = -1.5;
    const TypedArray x = Image(s.from, kLeading[pick[5]], kKinds[pick[0]].from, seed++);
    ExpectResize(op, x, s, n, "round", pick[6] == 1, kKinds[pick[0]].to);
  }
}

TEST(ImageSweep, Resize2dNearest) { SweepNearest("image.resize2d", kSizes2d); }
TEST(ImageSweep, Resize2dBetween) { SweepBetween("image.resize2d", kSizes2d); }
TEST(ImageSweep, Resize3dNearest) { SweepNearest("image.resize3d", kSizes3d); }
TEST(ImageSweep, Resize3dBetween) { SweepBetween("image.resize3d", kSizes3d); }

TEST(ImageSweep, GridSample) {
  const char* const kDTypes[] = {"float32", "float64", "float16", "bfloat16"};
  const char* const kMethods[] = {"bilinear", "nearest", "bicubic"};
  const char* const kPaddings[] = {"zeros", "border", "reflection"};
  const Shape kImages[] = {{4, 3}, {1, 5}, {2, 2}, {3, 1}, {2, 3, 4}, {3, 1, 2}};
  const Shape kGrids[] = {{2, 3, 2}, {3, 4, 1}, {1, 1, 1}, {0, 2, 2}};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kDTypes), std::size(kMethods), std::size(kPaddings), 2,
                          std::size(kImages), std::size(kGrids), std::size(kLeading), 2, 2})) {
    const Shape& image = kImages[pick[4]];
    const size_t rank = image.size();
    SampleNumbers n = {kMethods[pick[1]], kPaddings[pick[2]], pick[3] == 1};
    if (rank == 3 && n.method == "bicubic") n.method = "bilinear";
    const auto& leading = kLeading[pick[6]];
    const TypedArray x = Image(image, leading, kDTypes[pick[0]], seed++);
    Shape grid_shape = {leading.first, static_cast<int64_t>(rank)};
    grid_shape.insert(grid_shape.end(), kGrids[pick[5]].begin(),
                      kGrids[pick[5]].begin() + static_cast<int>(rank));
    TypedArray grid = RandomArray(grid_shape, pick[8] == 0 ? x.dtype : "float32", seed++);
    // Within and well outside of -1 to 1, seldom half way between two elements.
    for (double& value : grid.array.data) value = value * 0.59 + 0.021;
    for (double& value : grid.array.data) value = testing::InDType(grid.dtype, value);
    ir::AttrMap attrs = {
        {"method", n.method}, {"padding_mode", n.padding}, {"align_corners", n.corners}};
    const std::string axes = rank == 3 ? "NCDHW" : "NCHW";
    const std::string layout = pick[7] == 0 || rank == 3 ? axes : "NHWC";
    if (layout != "NCHW") attrs["layout"] = layout;
    const Array want = GridSample(x.array, grid.array, n);
    ExpectOp("image.grid_sample", {TypedArray{InLayout(x.array, axes, layout), x.dtype}, grid},
             attrs, {{InLayout(want, axes, layout), x.dtype}},
             n.method == "nearest" ? 0 : RoundingsOf(x.dtype));
  }
}

TEST(ImageSweep, AffineGrid) {
  const char* const kDTypes[] = {"float32", "float64", "float16", "bfloat16"};
  const Shape kSizes[] = {{3, 4}, {1, 5}, {2, 1}, {0, 3}, {2, 3, 4}, {1, 1, 2}};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kDTypes), std::size(kSizes), 3, 2})) {
    const Shape& size = kSizes[pick[1]];
    const int64_t rank = static_cast<int64_t>(size.size());
    const TypedArray matrices =
        RandomArray({static_cast<int64_t>(pick[2]), rank, rank + 1}, kDTypes[pick[0]], seed++);
    ExpectOp("image.affine_grid", {matrices, ShapeArg{size}}, {{"align_corners", pick[3] == 1}},
             {{AffineGrid(matrices.array, size, pick[3] == 1), matrices.dtype}}, 12);
  }
}

TEST(ImageSweep, EmptyImagesAreRejected) {
  testing::InferProbe p;
  const auto resize = [&](absl::string_view shape, absl::string_view size) {
    return p.Infer("image.resize2d", {p.T(shape, "float32"), p.Shape(size)});
  };
  EXPECT_THAT(resize("1, 2, 3, 0", "2, 2"), HasSubstr("no elements along axis W"));
  EXPECT_EQ(resize("1, 2, 3, 0", "2, 0"), "R.Tensor((1, 2, 2, 0), dtype=\"float32\")");
  const auto regions = [&](absl::string_view shape) {
    return p.Infer("vision.roi_pool", {p.T(shape, "float32"), p.T("4, 5", "float32")},
                   {{"pooled_size", Ints({1, 1})}, {"spatial_scale", 1.0}});
  };
  EXPECT_THAT(regions("1, 2, 0, 3"), HasSubstr("no elements along axis H"));
  EXPECT_EQ(regions("1, 0, 2, 3"), "R.Tensor((4, 0, 1, 1), dtype=\"float32\")");
}

}  // namespace
}  // namespace lathe::ops
