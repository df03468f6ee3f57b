// Losses, the gradient of nll_loss and that of take over dtypes, shapes and attributes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/loss.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/float_dtypes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExactArray;
using testing::ExpectOp;
using testing::OpArg;
using testing::TypedArray;

TEST(LossSweep, CrossEntropyWithLogits) {
  uint32_t seed = 1;
  for (const char* dtype : kFloats) {
    for (const Shape& shape : {Shape{4}, Shape{1}, Shape{2, 3}, Shape{1, 4}, Shape{2, 3, 2},
                               Shape{3, 0}, Shape{2, 1, 2, 2}, Shape{2, 1, 1, 2, 2}}) {
      const TypedArray x = ExactArray(shape, dtype, seed++), y = ExactArray(shape, dtype, seed++);
      ExpectOp("nn.cross_entropy_with_logits", {x, y}, {},
               {{CrossEntropyWithLogits(x.array, y.array), dtype}}, 1);
    }
  }
}

TEST(LossSweep, NllLossAndItsGradient) {
  const Shape kShapes[] = {{3, 4}, {4}, {2, 3, 2}, {1, 1}, {2, 3, 2, 2}, {0, 3}, {2, 2, 1, 2, 2}};
  const char* const kReductions[] = {"none", "sum", "mean"};
  const int64_t kIgnored[] = {-100, 0, 1};
  const char* const kTargets[] = {"int64", "int32", "int8"};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kFloats), std::size(kShapes), std::size(kReductions),
                          std::size(kIgnored), std::size(kTargets), 2})) {
    const char* dtype = kFloats[pick[0]];
    const Shape& shape = kShapes[pick[1]];
    const size_t axis = shape.size() > 1 ? 1 : 0;
    const int64_t classes = shape[axis], ignored = kIgnored[pick[3]];
    const reference::NllNumbers n = {kReductions[pick[2]], static_cast<double>(ignored)};
    Shape target_shape = shape;
    target_shape.erase(target_shape.begin() + static_cast<std::ptrdiff_t>(axis));
    TypedArray targets{Array(target_shape), kTargets[pick[4]]};
    for (size_t i = 0; i < targets.array.data.size(); ++i) {
      const int64_t cycle = static_cast<int64_t>(i * 5 + seed) % (classes + 1);
      // The last of the cycle is the class to ignore, which need not be one.
      targets.array.data[i] = static_cast<double>(cycle < classes ? cycle : ignored);
    }
    if (ignored >= classes) {
      for (double& t : targets.array.data) t = std::min(t, static_cast<double>(classes - 1));
    }
    const TypedArray x = ExactArray(shape, dtype, seed++);
    TypedArray weights = ExactArray({classes}, dtype, seed++);
    for (double& w : weights.array.data) w = std::fabs(w) + 0.5;
    const bool weighted = pick[5] == 0;
    const Array used = weighted ? weights.array : Array({classes}, 1.0);
    const ir::AttrMap attrs = {{"reduction", n.reduction}, {"ignore_index", ignored}};
    std::vector<OpArg> args = {x, targets};
    if (weighted) args.push_back(weights);
    ExpectOp("nn.nll_loss", args, attrs, {{NllLoss(x.array, targets.array, used, n), dtype}}, 4);
    const TypedArray g = ExactArray(n.reduction == "none" ? target_shape : Shape{}, dtype, seed++);
    args.insert(args.begin(), g);
    ExpectOp("grad.nll_loss_backward", args, attrs,
             {{NllLossGradient(g.array, x.array, targets.array, used, n), dtype}}, 4);
  }
}

// Float16 has no whole numbers between 2048 and 2050: a sum kept in it would be stuck there.
TEST(LossSweep, ManyHalves) {
  const TypedArray x{Array({5000, 1}, -1.0), "float16"}, one{Array({}, 1.0), "float16"};
  const TypedArray targets{Array({5000}), "int64"};
  ExpectOp("nn.nll_loss", {x, targets}, {}, {one});
  ExpectOp("nn.nll_loss", {x, targets}, {{"reduction", "sum"}}, {{Array({}, 5000.0), "float16"}});
  const TypedArray ones{Array({5000, 1}, 1.0), "float16"};
  ExpectOp("nn.cross_entropy_with_logits", {x, ones}, {}, {one});
  ExpectOp("grad.nll_loss_backward", {one, x, targets}, {},
           {{Array({5000, 1}, -1.0 / 5000), "float16"}});
}

// Where the forward operator took each element of its result from, the gradient goes back.
TEST(LossSweep, GradientOfTake) {
  struct Axis {
    Shape shape;
    int64_t axis;
  };
  const Axis kAxes[] = {{{4}, 0},          {{3, 4}, 0},    {{3, 4}, 1}, {{2, 3, 2}, 1},
                        {{2, 2, 1, 3}, 3}, {{1, 3, 2}, 2}, {{0, 3}, 1}, {{2, 1, 2, 2, 3}, 4}};
  const Shape kIndices[] = {{3}, {}, {2, 3}, {1}, {0}, {2, 1, 2}};
  const char* const kModes[] = {"fast", "clip", "wrap", "nan"};
  const char* const kIndexTypes[] = {"int64", "int32"};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kFloats), std::size(kAxes), std::size(kIndices),
                          std::size(kModes), std::size(kIndexTypes), 2})) {
    const Shape& shape = kAxes[pick[1]].shape;
    const int64_t axis = kAxes[pick[1]].axis;
    const std::string mode = kModes[pick[3]];
    const size_t a = static_cast<size_t>(axis);
    const int64_t length = shape[a];
    TypedArray indices{Array(kIndices[pick[2]]), kIndexTypes[pick[4]]};
    for (size_t i = 0; i < indices.array.data.size(); ++i) {
      const int64_t cycle = static_cast<int64_t>(i * 3 + seed) % (length + 4);
      // Some outside on both sides, where the mode says what that means.
      indices.array.data[i] = static_cast<double>(mode == "fast" ? cycle % length : cycle - 2);
    }
    const TypedArray x = ExactArray(shape, kFloats[pick[0]], seed++);
    Shape out(shape.begin(), shape.begin() + axis);
    out.insert(out.end(), indices.array.shape.begin(), indices.array.shape.end());
    out.insert(out.end(), shape.begin() + axis + 1, shape.end());
    const TypedArray g = ExactArray(out, x.dtype, seed++);
    Array want(shape);
    ForEach(out, [&](const Shape& at) {
      const auto begin = at.begin() + axis, end = begin + indices.array.rank();
      int64_t index = static_cast<int64_t>(indices.array[Shape(begin, end)]);
      if (mode == "nan" && (index < 0 || index >= length)) return;
      if (mode == "clip") index = std::clamp<int64_t>(index, 0, length - 1);
      while (mode == "wrap" && index < 0) index += length;
      if (mode == "wrap") index %= length;
      Shape to(at.begin(), begin);
      to.push_back(index);
      to.insert(to.end(), end, at.end());
      want[to] += g.array[at];
    });
    ir::AttrMap attrs = {{"mode", mode}};
    const int64_t rank = static_cast<int64_t>(shape.size());
    if (rank > 1 || pick[5] == 0) attrs["axis"] = pick[5] == 0 ? axis : axis - rank;
    ExpectOp("grad.take_backward", {g, x, indices}, attrs, {{want, x.dtype}});
  }
}

}  // namespace
}  // namespace lathe::ops
