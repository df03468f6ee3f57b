// Regions and boxes of images over dtypes, layouts, shapes and attributes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/layout.h"
#include "tests/reference/region.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::BoxNumbers;
using reference::InLayout;
using reference::RegionNumbers;
using reference::Shape;
using testing::ExpectOp;
using testing::Floats;
using testing::Ints;
using testing::RandomArray;
using testing::TypedArray;

const char* const kRegionFloats[] = {"float32", "float64", "float16"};
const Shape kRegionImages[] = {{2, 2, 5, 6}, {1, 1, 1, 4}, {2, 3, 4, 1}, {1, 0, 3, 3}};
const std::pair<int64_t, int64_t> kPooled[] = {{2, 2}, {1, 1}, {3, 2}, {1, 4}};
const double kRegionScales[] = {1.0, 0.5, 0.25};
// Left, top, right, bottom: inside, of no size, upside down, partly and wholly outside.
const double kEdges[][4] = {{1, 1, 4, 3.5}, {0, 0, 5, 4},     {2, 2, 2, 2},     {-3, 1.25, 2, 9},
                            {4, 3, 1, 1},   {20, 20, 24, 30}, {-9, -8, -4, -5}, {0.5, 0, 3, 2}};

TypedArray Regions(int64_t count, int64_t images, const std::string& dtype, size_t shift) {
  TypedArray out{Array({count, 5}), dtype};
  for (int64_t i = 0; i < count; ++i) {
    out.array[{i, 0}] = static_cast<double>(i % images);
    const auto& edges = kEdges[(static_cast<size_t>(i) + shift) % std::size(kEdges)];
    for (int64_t k = 0; k < 4; ++k) out.array[{i, 1 + k}] = edges[k];
  }
  return out;
}

TEST(RegionSweep, RoiAlign) {
  const int64_t kSamples[] = {2, -1, 1, 3};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kRegionFloats), std::size(kRegionImages), std::size(kPooled),
                          std::size(kRegionScales), std::size(kSamples), 2, 2, 2, 3})) {
    const Shape& image = kRegionImages[pick[1]];
    RegionNumbers n = {kPooled[pick[2]].first, kPooled[pick[2]].second,
                       kRegionScales[pick[3]], kSamples[pick[4]],
                       pick[5] == 1,           pick[6] == 0};
    const TypedArray x = RandomArray(image, kRegionFloats[pick[0]], seed++);
    // Half as many regions as there are kinds, or none. Upside down there are no samples, of which
    // nothing is the mean or the largest.
    TypedArray regions = Regions(pick[8] == 2 ? 0 : 5, image[0], x.dtype, pick[8] * 3);
    if (n.aligned) {
      for (int64_t i = 0; i < regions.array.shape[0]; ++i) {
        for (int64_t k : {1, 2}) {
          double& last = regions.array[{i, k + 2}];
          last = std::max(last, regions.array[{i, k}] + 1);
        }
      }
    }
    const std::string layout = pick[7] == 0 ? "NCHW" : "NHWC";
    const Array want = RoiAlign(x.array, regions.array, n);
    ExpectOp("vision.roi_align", {TypedArray{InLayout(x.array, "NCHW", layout), x.dtype}, regions},
             {{"pooled_size", Ints({n.height, n.width})},
              {"spatial_scale", n.scale},
              {"sample_ratio", n.samples},
              {"aligned", n.aligned},
              {"mode", n.average ? "avg" : "max"},
              {"layout", layout}},
             {{InLayout(want, "NCHW", layout), x.dtype}}, 64);
  }
}

TEST(RegionSweep, RoiPool) {
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kRegionFloats), std::size(kRegionImages),
                                             std::size(kPooled), std::size(kRegionScales), 3})) {
    const Shape& image = kRegionImages[pick[1]];
    RegionNumbers n = {kPooled[pick[2]].first, kPooled[pick[2]].second, kRegionScales[pick[3]]};
    const TypedArray x = RandomArray(image, kRegionFloats[pick[0]], seed++);
    const TypedArray regions = Regions(pick[4] == 2 ? 0 : 5, image[0], x.dtype, pick[4] * 3);
    ExpectOp("vision.roi_pool", {x, regions},
             {{"pooled_size", Ints({n.height, n.width})}, {"spatial_scale", n.scale}},
             {{RoiPool(x.array, regions.array, n), x.dtype}});
  }
}

TEST(RegionSweep, MultiboxTransformLoc) {
  struct Sizes {
    int64_t batch, classes, boxes;
  };
  const Sizes kSizes[] = {{1, 2, 3}, {2, 3, 4}, {1, 1, 1}, {0, 2, 2}, {2, 2, 0}};
  const double kThresholds[] = {0, 0.375, 1};
  const std::vector<double> kVariances[] = {{1, 1, 1, 1}, {0.5, 0.25, 0.125, 1}};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise(
           {2, std::size(kSizes), std::size(kThresholds), std::size(kVariances), 2, 2})) {
    const Sizes& s = kSizes[pick[1]];
    const BoxNumbers n = {pick[4] == 1, pick[5] == 1, kThresholds[pick[2]], kVariances[pick[3]]};
    const char* dtype = kRegionFloats[pick[0]];
    const TypedArray classes = RandomArray({s.batch, s.classes, s.boxes}, dtype, seed++),
                     places = RandomArray({s.batch, s.boxes * 4}, dtype, seed++),
                     anchors = RandomArray({1, s.boxes, 4}, dtype, seed++);
    const reference::Boxes want = MultiboxTransform(classes.array, places.array, anchors.array, n);
    ExpectOp("vision.multibox_transform_loc", {classes, places, anchors},
             {{"clip", n.clip},
              {"threshold", n.threshold},
              {"variances", Floats(n.variances)},
              {"keep_background", n.background}},
             {{want.boxes, dtype}, {want.scores, dtype}}, 64);
  }
}

TEST(RegionSweep, GetValidCounts) {
  const Shape kShapes[] = {{2, 5, 6}, {1, 1, 3}, {3, 4, 3}, {0, 3, 3}, {2, 0, 4}};
  const double kThresholds[] = {0, 0.5, -4, 4};
  const std::pair<int64_t, int64_t> kColumns[] = {{0, 1}, {-1, 0}, {2, 1}, {0, 2}};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kRegionFloats), std::size(kShapes),
                                             std::size(kThresholds), std::size(kColumns)})) {
    TypedArray data = RandomArray(kShapes[pick[1]], kRegionFloats[pick[0]], seed++);
    const int64_t id = kColumns[pick[3]].first, score = kColumns[pick[3]].second;
    // Classes are whole numbers, of which 0 is one and -1 is none.
    for (int64_t n = 0; id >= 0 && n < data.array.shape[0]; ++n) {
      for (int64_t box = 0; box < data.array.shape[1]; ++box) {
        data.array[{n, box, id}] = static_cast<double>((n + box * 2) % 3 - 1);
      }
    }
    const double threshold = kThresholds[pick[2]];
    const reference::Valid want = ValidBoxes(data.array, threshold, id, score);
    ExpectOp("vision.get_valid_counts", {data},
             {{"score_threshold", threshold}, {"id_index", id}, {"score_index", score}},
             {{want.counts, "int32"}, {want.boxes, data.dtype}, {want.indices, "int32"}});
  }
}

}  // namespace
}  // namespace lathe::ops
