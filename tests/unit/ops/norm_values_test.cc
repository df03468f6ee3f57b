// Values of norm.cc, pad.cc, loss.cc, collapse_sum.cc, quantize.cc against plain loops over
// doubles.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"
#include "tests/support/op_sweep.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::IntList;
using testing::RandomArray;
using testing::RunOp;
using testing::ShapeArg;
using testing::TypedArray;

struct Moments {
  double mean = 0, variance = 0, square = 0;
};
// Of the elements for which `same` says that they count together with `at`.
Moments MomentsOf(const Array& x, const std::function<bool(const Shape&)>& same) {
  std::vector<double> group;
  ForEach(x.shape, [&](const Shape& i) {
    if (same(i)) group.push_back(x[i]);
  });
  Moments m;
  for (double v : group) m.mean += v / double(group.size());
  for (double v : group) {
    m.variance += (v - m.mean) * (v - m.mean) / double(group.size());
    m.square += v * v / double(group.size());
  }
  return m;
}

TEST(NormValues, OverTheLastAxes) {
  const TypedArray x = RandomArray({2, 3, 4}, "float32", 1);
  const TypedArray gamma = RandomArray({3, 4}, "float32", 2),
                   beta = RandomArray({3, 4}, "float32", 3);
  Array layer({2, 3, 4}), rms({2, 3, 4});
  ForEach(layer.shape, [&](const Shape& at) {
    const Moments m = MomentsOf(x.array, [&](const Shape& i) { return i[0] == at[0]; });
    const double g = gamma.array[{at[1], at[2]}], b = beta.array[{at[1], at[2]}];
    layer[at] = (x.array[at] - m.mean) / std::sqrt(m.variance + 1e-5) * g + b;
    rms[at] = x.array[at] / std::sqrt(m.square + 1e-5) * g;
  });
  const ir::AttrMap axes = {{"axes", IntList({-2, -1})}};
  ExpectNear(RunOp("nn.layer_norm", {x, gamma, beta}, axes)[0], layer);
  ExpectNear(RunOp("nn.rms_norm", {x, gamma}, axes)[0], rms);
}

TEST(NormValues, HalvesAreSummedInFloat32) {
  // In float16 the sum of 4000 times 16 would be stuck long before the end.
  const TypedArray x{Array({1, 4000}, 16.0), "float16"}, one{Array({4000}, 1.0), "float16"};
  ExpectNear(RunOp("nn.rms_norm", {x, one}, {{"axes", -1}})[0], Array({1, 4000}, 1.0), 1e-3);
}

TEST(NormValues, OfGroupsAndInstances) {
  const TypedArray x = RandomArray({2, 4, 3, 2}, "float32", 4);
  const TypedArray gamma = RandomArray({4}, "float32", 5), beta = RandomArray({4}, "float32", 6);
  Array group(x.array.shape), instance(x.array.shape);
  ForEach(group.shape, [&](const Shape& at) {
    const auto normal = [&](const Moments& m) {
      return (x.array[at] - m.mean) / std::sqrt(m.variance + 1e-5) * gamma.array.data[at[1]] +
             beta.array.data[at[1]];
    };
    group[at] = normal(
        MomentsOf(x.array, [&](const Shape& i) { return i[0] == at[0] && i[1] / 2 == at[1] / 2; }));
    instance[at] =
        normal(MomentsOf(x.array, [&](const Shape& i) { return i[0] == at[0] && i[1] == at[1]; }));
  });
  ir::AttrMap attrs = {{"channel_axis", 1}, {"axes", IntList({2, 3})}};
  ExpectNear(RunOp("nn.instance_norm", {x, gamma, beta}, attrs)[0], instance);
  attrs["num_groups"] = 2;
  ExpectNear(RunOp("nn.group_norm", {x, gamma, beta}, attrs)[0], group);
}

TEST(NormValues, OfBatches) {
  const TypedArray x = RandomArray({3, 2, 4}, "float32", 7);
  const TypedArray gamma = RandomArray({2}, "float32", 8), beta = RandomArray({2}, "float32", 9);
  const TypedArray mean = RandomArray({2}, "float32", 10);
  const TypedArray variance{Array({2}, {0.5, 2}), "float32"};
  Array trained(x.array.shape), inferred(x.array.shape), new_mean({2}), new_variance({2});
  ForEach(x.array.shape, [&](const Shape& at) {
    const size_t c = static_cast<size_t>(at[1]);
    const Moments m = MomentsOf(x.array, [&](const Shape& i) { return i[1] == at[1]; });
    const double g = gamma.array.data[c], b = beta.array.data[c], v = x.array[at];
    trained[at] = (v - m.mean) / std::sqrt(m.variance + 1e-5) * g + b;
    inferred[at] = (v - mean.array.data[c]) / std::sqrt(variance.array.data[c] + 1e-5) * g + b;
    new_mean.data[c] = 0.9 * mean.array.data[c] + 0.1 * m.mean;
    new_variance.data[c] = 0.9 * variance.array.data[c] + 0.1 * m.variance;
  });
  const auto train = RunOp("nn.batch_norm", {x, gamma, beta, mean, variance}, {{"axis", 1}});
  ASSERT_EQ(train.size(), 3u);
  ExpectNear(train[0], trained);
  ExpectNear(train[1], new_mean);
  ExpectNear(train[2], new_variance);
  const auto infer =
      RunOp("nn.batch_norm", {x, gamma, beta, mean, variance}, {{"axis", 1}, {"training", false}});
  ASSERT_EQ(infer.size(), 3u);
  ExpectNear(infer[0], inferred);
  ExpectNear(infer[1], mean.array);
}

TEST(PadValues, ConstantReflectReplicateAndCircular) {
  const TypedArray x{Array({4}, {1, 2, 3, 4}), "float32"};
  const auto pad = [&](const char* mode) {
    return RunOp("nn.pad", {x},
                 {{"pad_width", IntList({2, 1})}, {"pad_mode", mode}, {"pad_value", 9}})[0];
  };
  ExpectNear(pad("constant"), Array({7}, {9, 9, 1, 2, 3, 4, 9}));
  ExpectNear(pad("reflect"), Array({7}, {3, 2, 1, 2, 3, 4, 3}));
  ExpectNear(pad("replicate"), Array({7}, {1, 1, 1, 2, 3, 4, 4}));
  ExpectNear(pad("circular"), Array({7}, {3, 4, 1, 2, 3, 4, 1}));
}

TEST(PadValues, ShuffleAndKeep) {
  const TypedArray x = RandomArray({1, 8, 2, 3}, "float32", 1);
  Array want({1, 2, 4, 6});
  ForEach(want.shape, [&](const Shape& o) {
    want[o] = x.array[{0, o[1] * 4 + o[2] % 2 * 2 + o[3] % 2, o[2] / 2, o[3] / 2}];
  });
  ExpectNear(RunOp("nn.pixel_shuffle", {x}, {{"upscale_factor", 2}})[0], want);
  const auto dropped = RunOp("nn.dropout", {x});
  ASSERT_EQ(dropped.size(), 2u);
  ExpectNear(dropped[0], x.array);
  ExpectNear(dropped[1], Array(x.array.shape, 1));
}

TEST(LossValues, AgreeWithPlainLoops) {
  const TypedArray x = RandomArray({3, 4}, "float32", 1), y = RandomArray({3, 4}, "float32", 2);
  double sum = 0;
  for (size_t i = 0; i < 12; ++i) sum -= x.array.data[i] * y.array.data[i];
  ExpectNear(RunOp("nn.cross_entropy_with_logits", {x, y})[0], Array({}, sum / 3));
  const TypedArray targets{Array({3}, {2, 0, -100}), "int64"};
  const TypedArray weights{Array({4}, {0.5, 1, 2, 4}), "float32"};
  const double first = -x.array[{0, 2}], second = -x.array[{1, 0}];
  ExpectNear(RunOp("nn.nll_loss", {x, targets}, {{"reduction", "none"}})[0],
             Array({3}, {first, second, 0}));
  ExpectNear(RunOp("nn.nll_loss", {x, targets, weights}, {{"reduction", "sum"}})[0],
             Array({}, first * 2 + second * 0.5));
  ExpectNear(RunOp("nn.nll_loss", {x, targets, weights})[0],
             Array({}, (first * 2 + second * 0.5) / 2.5));
}

TEST(CollapseSumValues, SumBroadcastElements) {
  const TypedArray x = RandomArray({2, 3, 4}, "float32", 1);
  Array want({3, 1});
  ForEach(x.array.shape, [&](const Shape& i) { want[{i[1], 0}] += x.array[i]; });
  ExpectNear(RunOp("collapse_sum_to", {x, ShapeArg{{3, 1}}})[0], want);
  ExpectNear(RunOp("collapse_sum_like", {x, TypedArray{want, "float32"}})[0], want);
}

TEST(QuantizeValues, ThereAndBack) {
  const TypedArray x{Array({2, 3}, {-10, 0.25, 0.75, 1, 2.5, 100}), "float32"};
  const TypedArray scale{Array({3}, {0.5, 0.5, 0.25}), "float32"};
  const TypedArray zero{Array({3}, {1, 0, -3}), "int8"};
  Array want({2, 3});
  ForEach(want.shape, [&](const Shape& i) {
    const size_t c = static_cast<size_t>(i[1]);
    const double q = std::nearbyint(x.array[i] / scale.array.data[c]) + zero.array.data[c];
    want[i] = std::clamp(q, -128.0, 127.0);
  });
  const auto quantized = RunOp("quantize", {x, scale, zero});
  ExpectNear(quantized[0], want);
  Array back({2, 3});
  ForEach(back.shape, [&](const Shape& i) {
    const size_t c = static_cast<size_t>(i[1]);
    back[i] = (want[i] - zero.array.data[c]) * scale.array.data[c];
  });
  ExpectNear(RunOp("dequantize", {quantized[0], scale, zero})[0], back);
}

}  // namespace
}  // namespace lathe::ops
