// Normalisations and softmax over dtypes, ranks, axes and attributes.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/norm.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/float_dtypes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using testing::ExpectOp;
using testing::Ints;
using testing::RandomArray;
using testing::TypedArray;

const double kEpsilons[] = {1e-5, 0.25, 1e-2};
// Results are sums of a few rounded terms of size up to 8.
constexpr double kNormRoundings = 12;

Shape Lengths(const Shape& shape, const Shape& axes) { return reference::At(shape, axes); }

// Some of them counted from the end.
ir::AttrList Written(const Shape& axes, size_t rank, size_t which) {
  Shape out;
  for (size_t i = 0; i < axes.size(); ++i) {
    out.push_back((i + which) % 2 == 0 ? axes[i] : axes[i] - static_cast<int64_t>(rank));
  }
  return Ints(out);
}

struct NormAxes {
  Shape shape, axes;
};
const NormAxes kAxes[] = {{{2, 3, 4}, {2}},       {{2, 3, 4}, {1, 2}}, {{5}, {0}},
                          {{2, 1, 3}, {1}},       {{3, 4}, {0}},       {{2, 3, 2, 2}, {1, 3}},
                          {{0, 4}, {1}},          {{3, 0}, {1}},       {{2, 2, 1, 3, 2}, {2, 3, 4}},
                          {{1, 2, 3, 2}, {1, 2}}, {{1, 1}, {1}},       {{2, 3}, {0, 1}}};

// 1 and 0 where the call leaves them out.
Array Or(const TypedArray& x, bool counts, double otherwise) {
  return counts ? x.array : Array(x.array.shape, otherwise);
}

TEST(NormSweep, LayerNormAndRmsNorm) {
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kAxes), std::size(kFloats), std::size(kEpsilons), 2, 2, 2})) {
    const auto& [shape, axes] = kAxes[pick[0]];
    const char* dtype = kFloats[pick[1]];
    const bool center = pick[3] == 0, scale = pick[4] == 0;
    const double epsilon = kEpsilons[pick[2]];
    const TypedArray x = RandomArray(shape, dtype, seed++),
                     gamma = RandomArray(Lengths(shape, axes), dtype, seed++),
                     beta = RandomArray(Lengths(shape, axes), dtype, seed++);
    ir::AttrMap attrs = {{"axes", Written(axes, shape.size(), pick[5])}, {"epsilon", epsilon}};
    ExpectOp("nn.rms_norm", {x, gamma}, attrs,
             {{RmsNorm(x.array, gamma.array, axes, epsilon), dtype}}, kNormRoundings);
    attrs["center"] = center;
    attrs["scale"] = scale;
    ExpectOp("nn.layer_norm", {x, gamma, beta}, attrs,
             {{LayerNorm(x.array, Or(gamma, scale, 1), Or(beta, center, 0), axes, epsilon), dtype}},
             kNormRoundings);
  }
}

struct NormGroups {
  Shape shape;
  int64_t channel;
  Shape axes;
  int64_t groups;
};
const NormGroups kGroups[] = {
    {{2, 4, 3}, 1, {2}, 2},       {{2, 4, 3, 2}, 1, {2, 3}, 4}, {{1, 6, 2, 2}, 1, {2, 3}, 3},
    {{2, 3, 2, 4}, 3, {1, 2}, 2}, {{2, 4}, 1, {}, 2},           {{2, 4, 0}, 1, {2}, 2},
    {{0, 4, 2}, 1, {2}, 1},       {{4, 3, 2}, 0, {1}, 2},       {{1, 4, 1, 1, 2}, 1, {2, 3, 4}, 1}};

TEST(NormSweep, GroupNormAndInstanceNorm) {
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kGroups), std::size(kFloats), std::size(kEpsilons), 2, 2, 2})) {
    const NormGroups& g = kGroups[pick[0]];
    const char* dtype = kFloats[pick[1]];
    const bool center = pick[3] == 0, scale = pick[4] == 0;
    const double epsilon = kEpsilons[pick[2]];
    const size_t rank = g.shape.size();
    const Shape channels = {g.shape[static_cast<size_t>(g.channel)]};
    const TypedArray x = RandomArray(g.shape, dtype, seed++),
                     gamma = RandomArray(channels, dtype, seed++),
                     beta = RandomArray(channels, dtype, seed++);
    const Array times = Or(gamma, scale, 1), plus = Or(beta, center, 0);
    ir::AttrMap attrs = {
        {"channel_axis", pick[5] == 0 ? g.channel : g.channel - static_cast<int64_t>(rank)},
        {"axes", Written(g.axes, rank, pick[5])},
        {"epsilon", epsilon},
        {"center", center},
        {"scale", scale}};
    ExpectOp("nn.instance_norm", {x, gamma, beta}, attrs,
             {{GroupNorm(x.array, times, plus, g.channel, g.axes, channels[0], epsilon), dtype}},
             kNormRoundings);
    attrs["num_groups"] = g.groups;
    ExpectOp("nn.group_norm", {x, gamma, beta}, attrs,
             {{GroupNorm(x.array, times, plus, g.channel, g.axes, g.groups, epsilon), dtype}},
             kNormRoundings);
  }
}

struct Batches {
  Shape shape;
  int64_t channel;
};
const Batches kBatches[] = {{{3, 2, 4}, 1}, {{2, 3, 2, 2}, 3}, {{4, 3}, 1},
                            {{5}, 0},       {{2, 1, 3}, 0},    {{2, 2, 1, 2, 2}, 2}};

TEST(NormSweep, BatchNorm) {
  const double kMomenta[] = {0.1, 0.9, 0.0, 1.0};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kBatches), std::size(kFloats), std::size(kEpsilons), 2, 2, 2,
                          std::size(kMomenta), 2})) {
    const auto& [shape, channel] = kBatches[pick[0]];
    const char* dtype = kFloats[pick[1]];
    const bool center = pick[3] == 0, scale = pick[4] == 0, training = pick[5] == 0;
    const double epsilon = kEpsilons[pick[2]], momentum = kMomenta[pick[6]];
    const size_t c = static_cast<size_t>(channel);
    const Shape channels = {shape[c]};
    const TypedArray x = RandomArray(shape, dtype, seed++),
                     gamma = RandomArray(channels, dtype, seed++),
                     beta = RandomArray(channels, dtype, seed++),
                     mean = RandomArray(channels, dtype, seed++);
    TypedArray variance = RandomArray(channels, dtype, seed++);
    for (double& value : variance.array.data) value = std::fabs(value) + 0.5;
    Array own_mean(channels), own_variance(channels), new_mean = mean.array,
                                                      new_variance = variance.array;
    for (int64_t i = 0; i < channels[0]; ++i) {
      const reference::Moments m =
          MomentsWhere(x.array, [&](const Shape& at) { return at[c] == i; });
      own_mean[{i}] = m.mean;
      own_variance[{i}] = m.variance;
      if (!training) continue;
      new_mean[{i}] = (1 - momentum) * mean.array[{i}] + momentum * m.mean;
      new_variance[{i}] = (1 - momentum) * variance.array[{i}] + momentum * m.variance;
    }
    const Array out = BatchNorm(x.array, Or(gamma, scale, 1), Or(beta, center, 0),
                                training ? own_mean : mean.array,
                                training ? own_variance : variance.array, channel, epsilon);
    const ir::AttrMap attrs = {
        {"axis", pick[7] == 0 ? channel : channel - static_cast<int64_t>(shape.size())},
        {"epsilon", epsilon},
        {"center", center},
        {"scale", scale},
        {"momentum", momentum},
        {"training", training}};
    ExpectOp("nn.batch_norm", {x, gamma, beta, mean, variance}, attrs,
             {{out, dtype}, {new_mean, dtype}, {new_variance, dtype}}, kNormRoundings);
  }
}

TEST(NormSweep, SoftmaxAndLogSoftmax) {
  const Shape kShapes[] = {{4},    {1},          {2, 3},          {3, 1, 2}, {2, 0, 3},
                           {0, 2}, {2, 3, 2, 2}, {1, 2, 3, 1, 2}, {0}};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kShapes), std::size(kFloats), 3, 2, 3})) {
    const Shape& shape = kShapes[pick[0]];
    const char* dtype = kFloats[pick[1]];
    const int64_t rank = static_cast<int64_t>(shape.size());
    const int64_t axis = std::min<int64_t>(static_cast<int64_t>(pick[2]), rank - 1);
    TypedArray x = RandomArray(shape, dtype, seed++);
    // Far beyond what exp can take: only differences count.
    if (pick[4] == 1) {
      for (double& value : x.array.data) value *= 256;
    }
    // Masked, as attention does it; a row of nothing else has no softmax.
    for (size_t i = 0; pick[4] == 2 && i < x.array.data.size(); i += 3) {
      x.array.data[i] = -std::numeric_limits<double>::infinity();
    }
    const ir::AttrMap attrs = {{"axis", pick[3] == 0 ? axis : axis - rank}};
    ExpectOp("nn.softmax", {x}, attrs, {{Softmax(x.array, axis), dtype}}, 4);
    ExpectOp("nn.log_softmax", {x}, attrs, {{LogSoftmax(x.array, axis), dtype}}, 4);
  }
}

// Float16 has no whole numbers between 2048 and 2050: a sum kept in it would be stuck there.
TEST(NormSweep, LongSoftmaxOfHalves) {
  const TypedArray x{Array({1, 5000}, 1.0), "float16"};
  ExpectOp("nn.softmax", {x}, {}, {{Array({1, 5000}, 1.0 / 5000), "float16"}});
  ExpectOp("nn.log_softmax", {x}, {}, {{Array({1, 5000}, -std::log(5000.0)), "float16"}});
}

}  // namespace
}  // namespace lathe::ops
