// Values of regions.cc, of medians, layouts, index_put, draws and packed attention.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::OpArg;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

TypedArray Filled(Shape shape, const std::string& dtype, std::vector<double> data) {
  TypedArray out{Array(std::move(shape)), dtype};
  out.array.data = std::move(data);
  return out;
}

// Between elements a slope is itself, so that the mean of a bin is the slope at its middle.
TEST(RegionValues, AlignedBinsOfASlope) {
  TypedArray x{Array({2, 1, 9, 9}), "float32"};
  ForEach(x.array.shape, [&](const Shape& at) {
    x.array[at] = 100.0 * double(at[0]) + 3.0 * double(at[2]) + double(at[3]);
  });
  const TypedArray rois = Filled({2, 5}, "float32", {0, 2, 4, 10, 12, 1, 4, 4, 8, 16});
  for (const int ratio : {2, -1}) {
    Array want({2, 1, 2, 4});
    ForEach(want.shape, [&](const Shape& at) {
      const double* roi = &rois.array.data[size_t(at[0]) * 5];
      const double left = roi[1] / 2, top = roi[2] / 2, right = roi[3] / 2, bottom = roi[4] / 2;
      const double y = top + (double(at[2]) + 0.5) * (bottom - top) / 2;
      const double w = left + (double(at[3]) + 0.5) * (right - left) / 4;
      want[at] = 100 * roi[0] + 3 * y + w;
    });
    const ir::AttrList size = {2, 4};
    ExpectNear(RunOp("vision.roi_align", {x, rois},
                     {{"pooled_size", size}, {"spatial_scale", 0.5}, {"sample_ratio", ratio}})[0],
               want, 1e-5, 1e-4);
  }
}

TEST(RegionValues, OutsideTheImageIsZero) {
  const TypedArray x{Array({1, 1, 4, 4}, 8.0), "float32"};
  const TypedArray rois = Filled({1, 5}, "float32", {0, -8, -8, -4, -4});
  const ir::AttrList size = {1, 1};
  for (const char* mode : {"avg", "max"}) {
    ExpectNear(RunOp("vision.roi_align", {x, rois},
                     {{"pooled_size", size}, {"spatial_scale", 1.0}, {"mode", mode}})[0],
               Array({1, 1, 1, 1}, 0.0));
  }
  ExpectNear(
      RunOp("vision.roi_pool", {x, rois}, {{"pooled_size", size}, {"spatial_scale", 1.0}})[0],
      Array({1, 1, 1, 1}, 0.0));
}

TEST(RegionValues, PooledBins) {
  const TypedArray x = RandomArray({1, 2, 6, 6}, "float32", 4);
  const TypedArray rois = Filled({1, 5}, "float32", {0, 1, 0, 4, 5});
  Array want({1, 2, 2, 2});
  // Columns 1 to 4 and rows 0 to 5, halved.
  ForEach(want.shape, [&](const Shape& at) {
    double largest = -1e30;
    for (int64_t i = 3 * at[2]; i < 3 * at[2] + 3; ++i) {
      for (int64_t j = 1 + 2 * at[3]; j < 3 + 2 * at[3]; ++j) {
        largest = std::max(largest, x.array[{0, at[1], i, j}]);
      }
    }
    want[at] = largest;
  });
  const ir::AttrList size = {2, 2};
  ExpectNear(
      RunOp("vision.roi_pool", {x, rois}, {{"pooled_size", size}, {"spatial_scale", 1.0}})[0],
      want);
}

TEST(MedianValues, LowerOfTwoAndItsPlace) {
  const TypedArray x = Filled({2, 4}, "float32", {4, 1, 3, 2, 7, 7, 5, 9});
  const ir::AttrList axis = {1};
  const auto along = RunOp("median", {x}, {{"axis", axis}});
  EXPECT_EQ(along[0].array.data, (std::vector<double>{2, 7}));
  EXPECT_EQ(along[1].array.data, (std::vector<double>{3, 0}));
  EXPECT_EQ(RunOp("median", {x})[0].array.data, (std::vector<double>{4}));
  EXPECT_EQ(RunOp("median", {x}, {{"axis", axis}, {"keepdims", true}})[0].array.shape,
            (Shape{2, 1}));
}

TEST(IndexPutValues, LastWinsOrAllAdd) {
  const TypedArray x{Array({2, 3}, 1.0), "float32"};
  const TypedArray rows = Filled({3}, "int64", {0, 1, 0}),
                   columns = Filled({3}, "int64", {2, -1, 2});
  const TypedArray values = Filled({3}, "float32", {5, 6, 7});
  const std::vector<OpArg> args = {x, std::vector<TypedArray>{rows, columns}, values};
  EXPECT_EQ(RunOp("index_put", args)[0].array.data, (std::vector<double>{1, 1, 7, 1, 1, 6}));
  EXPECT_EQ(RunOp("index_put", args, {{"accumulate", true}})[0].array.data,
            (std::vector<double>{1, 1, 13, 1, 1, 7}));
}

TEST(MultinomialValues, FirstClassThatPassesTheSample) {
  const TypedArray probability = Filled({2, 3}, "float32", {0.25, 0.25, 0.5, 0, 0.5, 0.5});
  const TypedArray samples = Filled({4, 1}, "float32", {0.125, 0.25, 0.99, 0.0});
  const TypedArray rows = Filled({4, 1}, "int64", {0, 0, 0, 1});
  EXPECT_EQ(RunOp("multinomial_from_uniform", {probability, samples, rows})[0].array.data,
            (std::vector<double>{0, 1, 2, 1}));
}

// Two sequences one after the other give what each gives alone.
TEST(AttentionVarLenValues, SequencesDoNotSeeEachOther) {
  const TypedArray q = RandomArray({1, 5, 2, 3}, "float32", 5),
                   k = RandomArray({1, 7, 2, 3}, "float32", 6),
                   v = RandomArray({1, 7, 2, 3}, "float32", 7);
  const TypedArray starts_q = Filled({3}, "int32", {0, 2, 5}),
                   starts_k = Filled({3}, "int32", {0, 4, 7});
  const TypedArray most_q = Filled({}, "int32", {3}), most_k = Filled({}, "int32", {4});
  const auto part = [](const TypedArray& x, int64_t begin, int64_t end) {
    TypedArray out{Array({1, end - begin, 2, 3}), "float32"};
    ForEach(out.array.shape, [&](const Shape& at) {
      out.array[at] = x.array[{0, at[1] + begin, at[2], at[3]}];
    });
    return out;
  };
  for (const char* mask : {"", "TopLeft", "BottomRight"}) {
    ir::AttrMap attrs;
    if (*mask != '\0') attrs["causal_mask"] = mask;
    const auto packed =
        RunOp("nn.attention_var_len", {q, k, v, starts_q, starts_k, most_q, most_k}, attrs);
    const auto first = RunOp("nn.attention", {part(q, 0, 2), part(k, 0, 4), part(v, 0, 4)}, attrs);
    const auto second = RunOp("nn.attention", {part(q, 2, 5), part(k, 4, 7), part(v, 4, 7)}, attrs);
    ExpectNear(part(packed[0], 0, 2), first[0].array, 1e-5, 1e-5);
    ExpectNear(part(packed[0], 2, 5), second[0].array, 1e-5, 1e-5);
  }
}

}  // namespace
}  // namespace lathe::ops
