// Values of boxes.cc.
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
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

TEST(BoxValues, ValidOnesMoveToTheFront) {
  TypedArray data{Array({1, 4, 3}), "float32"};
  // class, score, one number more
  data.array.data = {0, 0.25, 1, 2, 0.75, 2, -1, 0.875, 3, 1, 0.5, 4};
  const ir::AttrMap attrs = {{"score_threshold", 0.375}};
  const auto got = RunOp("vision.get_valid_counts", {data}, attrs);
  EXPECT_EQ(got[0].array.data, (std::vector<double>{2}));
  EXPECT_EQ(got[1].array.data,
            (std::vector<double>{2, 0.75, 2, 1, 0.5, 4, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(got[2].array.data, (std::vector<double>{1, 3, -1, -1}));
  // Without classes the third counts too.
  const auto all =
      RunOp("vision.get_valid_counts", {data}, {{"score_threshold", 0.375}, {"id_index", -1}});
  EXPECT_EQ(all[2].array.data, (std::vector<double>{1, 2, 3, -1}));
}

TEST(BoxValues, AnchorsMovedAndStretched) {
  const TypedArray classes = RandomArray({2, 3, 4}, "float32", 1);
  const TypedArray places = RandomArray({2, 16}, "float32", 2);
  const TypedArray anchors = RandomArray({1, 4, 4}, "float32", 3);
  const ir::AttrList variances = {0.5, 0.25, 0.125, 1.0};
  const double v[] = {0.5, 0.25, 0.125, 1.0};
  Array boxes({2, 4, 4}), scores({2, 3, 4});
  ForEach(boxes.shape, [&](const Shape& at) {
    const int axis = at[2] % 2 == 0 ? 1 : 0;  // top, left, bottom, right
    const double first = anchors.array[{0, at[1], axis}],
                 last = anchors.array[{0, at[1], axis + 2}];
    const auto predicted = [&](int i) { return places.array[{at[0], 4 * at[1] + i}]; };
    const double middle = (first + last) / 2 + predicted(axis) * v[axis] * (last - first);
    const double half = std::exp(predicted(axis + 2) * v[axis + 2]) * (last - first) / 2;
    boxes[at] = std::clamp(at[2] < 2 ? middle - half : middle + half, 0.0, 1.0);
  });
  ForEach(scores.shape, [&](const Shape& at) {
    double sum = 0;
    for (int64_t k = 0; k < 3; ++k) sum += std::exp(classes.array[{at[0], k, at[2]}]);
    const double score = std::exp(classes.array[at]) / sum;
    scores[at] = at[1] == 0 || score < 0.375 ? 0 : score;
  });
  const auto got = RunOp(
      "vision.multibox_transform_loc", {classes, places, anchors},
      {{"variances", variances}, {"clip", true}, {"threshold", 0.375}, {"keep_background", false}});
  ExpectNear(got[0], boxes, 1e-5, 1e-5);
  ExpectNear(got[1], scores, 1e-5, 1e-5);
}

TEST(BoxValues, ExplicitScores) {
  const TypedArray classes = RandomArray({2, 3, 4}, "float32", 1);
  const TypedArray places = RandomArray({2, 16}, "float32", 2);
  const TypedArray anchors = RandomArray({1, 4, 4}, "float32", 3);
  Array scores({2, 3, 4});
  ForEach(scores.shape,
          [&](const Shape& at) { scores[at] = classes.array[at] < 0.125 ? 0 : classes.array[at]; });
  const ir::AttrList variances = {1.0, 1.0, 1.0, 1.0};
  const auto got = RunOp("vision.multibox_transform_loc", {classes, places, anchors},
                         {{"variances", variances},
                          {"threshold", 0.125},
                          {"keep_background", true},
                          {"apply_softmax", false}});
  ExpectNear(got[1], scores, 0, 0);
}

}  // namespace
}  // namespace lathe::ops
