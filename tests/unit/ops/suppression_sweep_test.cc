// Boxes that put out those they overlap, over dtypes, sizes and attributes.
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/suppression.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using testing::ExpectOp;
using testing::RandomArray;
using testing::TypedArray;

const char* const kScoreDTypes[] = {"float32", "float64"};
const double kOverlaps[] = {0.5, 0.125, 1};

TypedArray Number(double value, const char* dtype, Shape shape = {}) {
  TypedArray x{Array(std::move(shape)), dtype};
  x.array.data = {value};
  return x;
}

TEST(SuppressionSweep, NonMaxSuppression) {
  const Shape kShapes[] = {{2, 7, 6}, {1, 1, 6}, {1, 16, 6}, {2, 0, 6}, {0, 3, 6}};
  const int64_t kLimit[] = {-1, 0, 1, 3};
  const int64_t kTop[] = {-1, 2, 5};
  const int64_t kIds[] = {0, -1};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kScoreDTypes), std::size(kShapes), std::size(kLimit),
                          std::size(kTop), std::size(kIds), std::size(kOverlaps), 2, 3, 2})) {
    const Shape& shape = kShapes[pick[1]];
    const TypedArray data = RandomArray(shape, kScoreDTypes[pick[0]], seed++);
    TypedArray valid{Array({shape[0]}), "int32"}, indices{Array({shape[0], shape[1]}), "int32"};
    for (size_t i = 0; i < indices.array.data.size(); ++i) {
      indices.array.data[i] = static_cast<double>(100 + i);
    }
    for (double& n : valid.array.data) {
      n = static_cast<double>(pick[6] == 1 ? shape[1] : shape[1] / 2);
    }
    reference::SuppressionNumbers n;
    n.most = kLimit[pick[2]];
    n.top = kTop[pick[3]];
    n.id = kIds[pick[4]];
    n.overlap = kOverlaps[pick[5]];
    n.force = pick[8] == 1;
    const reference::Kept want = SuppressBoxes(data.array, valid.array, indices.array, n);
    const bool positions = pick[7] == 0, front = pick[7] == 1;
    std::vector<TypedArray> results = {{front ? want.front : want.boxes, data.dtype}};
    if (positions) results = {{want.indices, "int32"}, {want.counts, "int32"}};
    ExpectOp("vision.non_max_suppression", {data, valid, indices},
             {{"max_output_size", n.most},
              {"top_k", n.top},
              {"id_index", n.id},
              {"iou_threshold", n.overlap},
              {"force_suppress", n.force},
              {"return_indices", positions},
              {"invalid_to_bottom", front}},
             results);
  }
}

TEST(SuppressionSweep, AllClassNonMaxSuppression) {
  struct Sizes {
    int64_t batch, classes, boxes;
  };
  const Sizes kSizes[] = {{1, 2, 3}, {2, 3, 8}, {1, 1, 1}, {0, 2, 2}, {2, 2, 0}, {1, 0, 2}};
  const int64_t kLimit[] = {0, 1, 3, 100};
  const double kThresholds[] = {0, 0.5, 4, -2};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kScoreDTypes), std::size(kSizes), std::size(kLimit),
                          std::size(kThresholds), std::size(kOverlaps), 2})) {
    const Sizes& s = kSizes[pick[1]];
    const char* dtype = kScoreDTypes[pick[0]];
    const TypedArray boxes = RandomArray({s.batch, s.boxes, 4}, dtype, seed++),
                     scores = RandomArray({s.batch, s.classes, s.boxes}, dtype, seed++);
    const int64_t most = kLimit[pick[2]];
    const double threshold = kThresholds[pick[3]], overlap = kOverlaps[pick[4]];
    const reference::Selected want =
        SuppressByClass(boxes.array, scores.array, most, overlap, threshold);
    const Shape one = pick[5] == 1 ? Shape{1} : Shape{};
    ExpectOp("vision.all_class_non_max_suppression",
             {boxes, scores, Number(static_cast<double>(most), "int64", one),
              Number(overlap, "float32", one), Number(threshold, "float32", one)},
             {{"output_format", "onnx"}},
             {{want.indices, "int64"}, Number(want.count, "int64", {1})});
  }
}

}  // namespace
}  // namespace lathe::ops
