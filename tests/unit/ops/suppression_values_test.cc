// Values of suppression.cc.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using testing::RunOp;
using testing::TypedArray;
using Values = std::vector<double>;

TypedArray Typed(reference::Shape shape, Values values, const std::string& dtype = "float32") {
  TypedArray x{Array(std::move(shape)), dtype};
  x.array.data = std::move(values);
  return x;
}

// class, score, left, top, right, bottom: two that overlap by a half, one of them of another class
// than a third at the same place, one far away, one with its corners the other way round.
TypedArray Boxes() {
  return Typed({1, 5, 6}, {0, 0.75,  0, 0, 4, 4,  //
                           0, 0.5,   0, 0, 4, 2,  //
                           1, 0.5,   0, 0, 4, 4,  //
                           0, 0.25,  8, 8, 9, 9,  //
                           0, 0.875, 4, 4, 0, 0});
}
TypedArray Count(double n) { return Typed({1}, {n}, "int32"); }
TypedArray SuppressedNumbers() { return Typed({1, 5}, {10, 11, 12, 13, 14}, "int32"); }

std::vector<TypedArray> Suppress(const ir::AttrMap& attrs, double count = 5) {
  return RunOp("vision.non_max_suppression", {Boxes(), Count(count), SuppressedNumbers()}, attrs);
}

TEST(NonMaxSuppression, BestBoxSuppressesOverlaps) {
  const auto got = Suppress({});
  EXPECT_EQ(got[0].array.data, (Values{14, 12, 13, -1, -1}));
  EXPECT_EQ(got[1].array.data, (Values{3}));
  EXPECT_EQ(got[1].array.shape, (reference::Shape{1, 1}));
}

TEST(NonMaxSuppression, SelectsCandidateBoxes) {
  // Fewer valid ones: the last, which is the best, is not among them.
  EXPECT_EQ(Suppress({}, 4)[0].array.data, (Values{10, 12, 13, -1, -1}));
  EXPECT_EQ(Suppress({}, 0)[0].array.data, (Values{-1, -1, -1, -1, -1}));
  EXPECT_EQ(Suppress({}, 0)[1].array.data, (Values{0}));
  // Counts that no tensor can have say all, or none.
  EXPECT_EQ(Suppress({}, 99)[1].array.data, (Values{3}));
  EXPECT_EQ(Suppress({}, -3)[1].array.data, (Values{0}));
  EXPECT_EQ(Suppress({{"top_k", 2}})[0].array.data, (Values{14, -1, -1, -1, -1}));
  EXPECT_EQ(Suppress({{"max_output_size", 2}})[0].array.data, (Values{14, 12, -1, -1, -1}));
  EXPECT_EQ(Suppress({{"max_output_size", 0}})[1].array.data, (Values{3}));
}

TEST(NonMaxSuppression, ClassesMatterByDefault) {
  EXPECT_EQ(Suppress({{"force_suppress", true}})[0].array.data, (Values{14, 13, -1, -1, -1}));
  EXPECT_EQ(Suppress({{"id_index", -1}})[0].array.data, (Values{14, 13, -1, -1, -1}));
  // What overlaps by exactly the threshold is out, by less is not.
  EXPECT_EQ(Suppress({{"iou_threshold", 0.625}})[0].array.data, (Values{14, 11, 12, 13, -1}));
}

TEST(NonMaxSuppression, BoxesStayInTheOrderOfScoresOrMoveUp) {
  const Values gone(6, -1), best = {0, 0.875, 4, 4, 0, 0}, other = {1, 0.5, 0, 0, 4, 4},
                            far = {0, 0.25, 8, 8, 9, 9};
  const auto joined = [](std::vector<Values> rows) {
    Values all;
    for (const Values& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  EXPECT_EQ(Suppress({{"return_indices", false}})[0].array.data,
            joined({best, gone, gone, other, far}));
  EXPECT_EQ(Suppress({{"return_indices", false}, {"invalid_to_bottom", true}})[0].array.data,
            joined({best, other, far, gone, gone}));
}

TEST(NonMaxSuppression, SoftSuppressionReducesScores) {
  const auto got =
      Suppress({{"soft_nms_sigma", 0.5}, {"score_threshold", 0.3}, {"iou_threshold", 0.75}});
  // The second box overlaps the best by a half, so it keeps exp(-0.25) of its score; the far one
  // is below the threshold from the start.
  EXPECT_EQ(got[1].array.data, (Values{14, 12, 11, -1, -1}));
  EXPECT_EQ(got[2].array.data, (Values{3}));
  EXPECT_NEAR(got[0].array.data[2 * 6 + 1], 0.5 * std::exp(-0.25), 1e-6);
  EXPECT_EQ(got[0].array.data[3 * 6 + 1], -1);
}

TEST(NonMaxSuppression, NoBoxesAtAll) {
  const auto got =
      RunOp("vision.non_max_suppression",
            {Typed({2, 0, 6}, {}), Typed({2}, {0, 0}, "int32"), Typed({2, 0}, {}, "int32")}, {});
  EXPECT_EQ(got[0].array.shape, (reference::Shape{2, 0}));
  EXPECT_EQ(got[1].array.data, (Values{0, 0}));
}

TEST(NonMaxSuppression, NaNScoresAreNeverChosen) {
  TypedArray boxes = Boxes();
  boxes.array.data[4 * 6 + 1] = std::nan("");
  const auto got = RunOp("vision.non_max_suppression", {boxes, Count(5), SuppressedNumbers()}, {});
  EXPECT_EQ(got[0].array.data, (Values{10, 12, 13, -1, -1}));
}

std::vector<TypedArray> SuppressAll(double limit, double overlap, double score,
                                    const std::string& format) {
  const TypedArray boxes = Typed({1, 4, 4}, {0, 0, 4, 4, 0, 0, 4, 2, 8, 8, 9, 9, 4, 4, 0, 0});
  const TypedArray scores = Typed({1, 2, 4}, {0.5, 0.75, 0.25, 0.125, 0.25, 0.25, 0.875, 0.25});
  return RunOp(
      "vision.all_class_non_max_suppression",
      {boxes, scores, Typed({}, {limit}, "int64"), Typed({1}, {overlap}), Typed({}, {score})},
      {{"output_format", format}});
}

TEST(AllClassSuppression, EachClassByItself) {
  const auto got = SuppressAll(100, 0.5, 0.125, "onnx");
  EXPECT_EQ(got[1].array.data, (Values{4}));
  // batch, class, box; the last of the first class has no score above the threshold
  EXPECT_EQ(got[0].array.shape, (reference::Shape{8, 3}));
  Values want = {0, 0, 1, 0, 0, 2, 0, 1, 2, 0, 1, 0};
  want.resize(24, 0);
  EXPECT_EQ(got[0].array.data, want);
}

TEST(AllClassSuppression, LimitsAndThresholds) {
  EXPECT_EQ(SuppressAll(1, 0.5, 0, "onnx")[1].array.data, (Values{2}));
  EXPECT_EQ(SuppressAll(0, 0.5, 0, "onnx")[1].array.data, (Values{0}));
  EXPECT_EQ(SuppressAll(100, 0.5, 1, "onnx")[1].array.data, (Values{0}));
  EXPECT_EQ(SuppressAll(100, 0, 0, "onnx")[1].array.data, (Values{0}));
  // Only what is the same box is out: the first and the last.
  EXPECT_EQ(SuppressAll(100, 1, 0, "onnx")[1].array.data, (Values{6}));
}

TEST(AllClassSuppression, ByBatchWithScores) {
  const auto got = SuppressAll(100, 0.5, 0.125, "tensorflow");
  EXPECT_EQ(got[2].array.data, (Values{4}));
  Values want = {0, 1, 0, 2, 1, 2, 1, 0};
  want.resize(16, 0);
  EXPECT_EQ(got[0].array.data, want);
  EXPECT_EQ(got[1].array.data, (Values{0.75, 0.25, 0.875, 0.25, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace lathe::ops
