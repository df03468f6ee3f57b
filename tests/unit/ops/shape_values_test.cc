// Values of reduce.cc, matmul.cc, reshape.cc, concat.cc, permute_dims.cc, create.cc against plain
// loops over doubles.
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"
#include "tests/support/op_sweep.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Broadcast;
using reference::BroadcastShape;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::IntList;
using testing::Numbers;
using testing::RandomArray;
using testing::RunOp;
using testing::ShapeArg;
using testing::TypedArray;

// Applies `fold` to the elements that are reduced to each element of the result.
Array Reduce(const Array& x, std::vector<int64_t> axes, bool keepdims,
             const std::function<double(const std::vector<double>&)>& fold) {
  std::vector<bool> gone(x.shape.size(), axes.empty());
  for (int64_t axis : axes) gone[axis < 0 ? axis + x.rank() : axis] = true;
  const auto reduced = [&](const Shape& index, int64_t one) {
    Shape out;
    for (size_t i = 0; i < index.size(); ++i) {
      if (!gone[i]) out.push_back(index[i]);
      if (gone[i] && keepdims) out.push_back(one);
    }
    return out;
  };
  Array out(reduced(x.shape, 1));
  ForEach(out.shape, [&](const Shape& at) {
    std::vector<double> group;
    ForEach(x.shape, [&](const Shape& in) {
      if (reduced(in, 0) == at) group.push_back(x[in]);
    });
    out[at] = fold(group);
  });
  return out;
}

using Group = std::vector<double>;
double Sum(const Group& g) { return std::accumulate(g.begin(), g.end(), 0.0); }
double Mean(const Group& g) { return Sum(g) / double(g.size()); }
double Variance(const Group& g) {
  double sum = 0;
  for (double x : g) sum += (x - Mean(g)) * (x - Mean(g));
  return sum / double(g.size());
}

TEST(ReduceValues, AgreeWithPlainLoops) {
  const std::pair<const char*, double (*)(const Group&)> kOps[] = {
      {"sum", Sum},
      {"mean", Mean},
      {"variance", Variance},
      {"std", [](const Group& g) { return std::sqrt(Variance(g)); }},
      {"prod",
       [](const Group& g) {
         return std::accumulate(g.begin(), g.end(), 1.0, std::multiplies<>());
       }},
      {"max", [](const Group& g) { return *std::max_element(g.begin(), g.end()); }},
      {"min", [](const Group& g) { return *std::min_element(g.begin(), g.end()); }}};
  const std::pair<Shape, std::vector<int64_t>> kCases[] = {
      {{2, 3, 4}, {}}, {{2, 3, 4}, {1}}, {{2, 3, 4}, {-1, 0}}, {{5}, {0}}, {{2, 1}, {1}}};
  uint32_t seed = 1;
  for (const auto& [op, fold] : kOps) {
    for (const auto& [shape, axes] : kCases) {
      for (bool keepdims : {false, true}) {
        SCOPED_TRACE(op);
        const TypedArray x = RandomArray(shape, "float32", seed++);
        ir::AttrMap attrs = {{"keepdims", keepdims}};
        if (!axes.empty()) attrs["axis"] = IntList(axes);
        ExpectNear(RunOp(op, {x}, attrs)[0], Reduce(x.array, axes, keepdims, fold), 1e-5, 1e-5);
      }
    }
  }
}

TEST(ReduceValues, EmptyReductionsAreTheIdentity) {
  const TypedArray x{Array({2, 0}), "float32"};
  ExpectNear(RunOp("sum", {x}, {{"axis", IntList({1})}})[0], Array({2}, {0, 0}));
  ExpectNear(RunOp("prod", {x}, {{"axis", IntList({1})}})[0], Array({2}, {1, 1}));
  ExpectNear(RunOp("max", {x}, {{"axis", IntList({1})}})[0], Array({2}, {-INFINITY, -INFINITY}));
}

TEST(ReduceValues, OfOtherDTypes) {
  const TypedArray x{Array({2, 2}, {100, 27, -128, 3}), "int8"};
  ExpectNear(RunOp("max", {x}, {{"axis", IntList({1})}})[0], Array({2}, {100, 3}));
  ExpectNear(RunOp("min", {x})[0], Array({}, -128));
  const TypedArray b{Array({2, 2}, {1, 0, 0, 0}), "bool"};
  ExpectNear(RunOp("sum", {b}, {{"axis", IntList({1})}})[0], Array({2}, {1, 0}));
}

// A sum of 5000 ones is 2048 in float16, and the variance of these is more than it holds.
TEST(ReduceValues, AveragesUseWideAccumulators) {
  const TypedArray ones{Array({5000}, Group(5000, 1)), "float16"};
  ExpectNear(RunOp("mean", {ones})[0], Array({}, 1));
  const TypedArray far{Array({2}, {-600, 600}), "float16"};
  ExpectNear(RunOp("std", {far})[0], Array({}, 600));
  const TypedArray small{Array({4}, {100, 100, 100, 60}), "int8"};
  ExpectNear(RunOp("mean", {small})[0], Array({}, 90));
}

TEST(ReduceValues, ArgReductionsReturnTheFirst) {
  const TypedArray x{Array({2, 4}, {1, 3, 3, 2, -5, -1, -5, -1}), "float32"};
  ExpectNear(RunOp("argmax", {x}, {{"axis", 1}})[0], Array({2}, {1, 1}));
  ExpectNear(RunOp("argmin", {x}, {{"axis", 1}})[0], Array({2}, {0, 0}));
  ExpectNear(RunOp("argmax", {x})[0], Array({}, 1));
  ExpectNear(RunOp("argmin", {x}, {{"axis", 0}, {"keepdims", true}})[0],
             Array({1, 4}, {1, 1, 1, 1}));
  const TypedArray low{Array({2}, {-INFINITY, -INFINITY}), "float32"};
  ExpectNear(RunOp("argmax", {low}, {{"axis", 0}})[0], Array({}, 0));
}

Array BatchedMatmul(Array a, Array b) {
  const bool row = a.rank() == 1, column = b.rank() == 1;
  if (row) a.shape.insert(a.shape.begin(), 1);
  if (column) b.shape.push_back(1);
  const Shape batch = BroadcastShape(Shape(a.shape.begin(), a.shape.end() - 2),
                                     Shape(b.shape.begin(), b.shape.end() - 2));
  Shape shape = batch;
  shape.push_back(a.shape[a.shape.size() - 2]);
  shape.push_back(b.shape.back());
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape left = at, right = at;
    for (int64_t k = 0; k < a.shape.back(); ++k) {
      left.back() = k;
      right[right.size() - 2] = k;
      out[at] += Broadcast(a, left) * Broadcast(b, right);
    }
  });
  if (column) out.shape.pop_back();
  if (row) out.shape.erase(out.shape.end() - (column ? 1 : 2));
  return out;
}

TEST(MatmulValues, AgreeWithPlainLoops) {
  const std::pair<Shape, Shape> kShapes[] = {
      {{2, 3}, {3, 4}},          {{3}, {3}},       {{3}, {2, 3, 4}}, {{2, 5, 3}, {3}},
      {{2, 1, 4, 3}, {5, 3, 2}}, {{0, 3}, {3, 2}}, {{2, 0}, {0, 2}}, {{1, 1}, {1, 1}}};
  uint32_t seed = 1;
  for (const auto& [x, y] : kShapes) {
    const TypedArray a = RandomArray(x, "float32", seed++), b = RandomArray(y, "float32", seed++);
    ExpectNear(RunOp("matmul", {a, b})[0], BatchedMatmul(a.array, b.array));
  }
  const TypedArray a = RandomArray({4, 70}, "int8", 3), b = RandomArray({70, 2}, "int8", 4);
  ExpectNear(RunOp("matmul", {a, b}, {{"out_dtype", ir::DType::Int(32)}})[0],
             BatchedMatmul(a.array, b.array));
  const TypedArray u = RandomArray({3}, "float32", 5), v = RandomArray({2}, "float32", 6);
  ExpectNear(RunOp("outer", {u, v})[0],
             BatchedMatmul(Array({3, 1}, u.array.data), Array({1, 2}, v.array.data)));
}

TEST(ReshapeValues, KeepElementsInOrder) {
  const TypedArray x = RandomArray({2, 3, 4}, "int16", 1);
  const auto same = [&](const Shape& shape) { return Array(shape, x.array.data); };
  ExpectNear(RunOp("reshape", {x, ShapeArg{{4, -1}}})[0], same({4, 6}));
  ExpectNear(RunOp("flatten", {x})[0], same({24}));
  ExpectNear(RunOp("nn.batch_flatten", {x})[0], same({2, 12}));
  ExpectNear(RunOp("expand_dims", {x}, {{"axis", IntList({0, -1, 2})}})[0],
             same({1, 2, 1, 3, 4, 1}));
  const TypedArray y{Array({1, 6, 1, 4}, x.array.data), "int16"};
  ExpectNear(RunOp("squeeze", {y})[0], same({6, 4}));
  ExpectNear(RunOp("squeeze", {y}, {{"axis", IntList({2, 1})}})[0], same({1, 6, 4}));
  const TypedArray one{Array({}, 7), "int16"};
  ExpectNear(RunOp("flatten", {one})[0], Array({1}, 7));
  ExpectNear(RunOp("reshape", {TypedArray{Array({0, 4}), "int16"}, ShapeArg{{0, 5}}})[0],
             Array(Shape{0, 5}));
}

TEST(ReshapeValues, BroadcastsAndPermutes) {
  const TypedArray x = RandomArray({3, 1}, "float32", 2);
  Array want({2, 3, 4});
  ForEach(want.shape, [&](const Shape& at) { want[at] = Broadcast(x.array, at); });
  ExpectNear(RunOp("broadcast_to", {x, ShapeArg{{2, 3, 4}}})[0], want);
  const TypedArray y = RandomArray({2, 3, 4}, "float32", 3);
  Array turned({4, 2, 3}), reversed({4, 3, 2}), flipped({2, 3, 4});
  ForEach(y.array.shape, [&](const Shape& i) {
    turned[{i[2], i[0], i[1]}] = y.array[i];
    reversed[{i[2], i[1], i[0]}] = y.array[i];
    flipped[{i[0], 2 - i[1], i[2]}] = y.array[i];
  });
  ExpectNear(RunOp("permute_dims", {y}, {{"axes", IntList({2, 0, -2})}})[0], turned);
  ExpectNear(RunOp("permute_dims", {y})[0], reversed);
  ExpectNear(RunOp("flip", {y}, {{"axis", -2}})[0], flipped);
}

TEST(ReshapeValues, RepeatsAndTiles) {
  const TypedArray x{Array({2, 2}, {1, 2, 3, 4}), "float32"};
  ExpectNear(RunOp("repeat", {x}, {{"repeats", 2}, {"axis", 1}})[0],
             Array({2, 4}, {1, 1, 2, 2, 3, 3, 4, 4}));
  ExpectNear(RunOp("repeat", {x}, {{"repeats", 2}})[0], Array({8}, {1, 1, 2, 2, 3, 3, 4, 4}));
  ExpectNear(RunOp("tile", {x}, {{"repeats", IntList({2, 1, 2})}})[0],
             Array({2, 2, 4}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4}));
  ExpectNear(RunOp("tile", {x}, {{"repeats", IntList({2})}})[0],
             Array({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(ConcatValues, ConcatAndSplit) {
  const TypedArray a = RandomArray({2, 3}, "int8", 1), b = RandomArray({2, 1}, "int8", 2),
                   c = RandomArray({2, 3}, "int8", 3);
  Array want({2, 7}), stacked({2, 2, 3});
  ForEach(want.shape, [&](const Shape& i) {
    want[i] = i[1] < 3 ? a.array[i] : i[1] < 4 ? b.array[{i[0], 0}] : c.array[{i[0], i[1] - 4}];
  });
  ForEach(stacked.shape, [&](const Shape& i) {
    stacked[i] = (i[1] == 0 ? a : c).array[{i[0], i[2]}];
  });
  const std::vector<TypedArray> pieces = {a, b, c};
  ExpectNear(RunOp("concat", {pieces}, {{"axis", -1}})[0], want);
  ExpectNear(RunOp("stack", {std::vector<TypedArray>{a, c}}, {{"axis", 1}})[0], stacked);
  const TypedArray whole{want, "int8"};
  const auto cut = [&](int64_t from, int64_t to) {
    Array piece({2, to - from});
    ForEach(piece.shape, [&](const Shape& i) { piece[i] = want[{i[0], i[1] + from}]; });
    return piece;
  };
  const auto split =
      RunOp("split", {whole}, {{"indices_or_sections", IntList({3, 4, 4})}, {"axis", 1}});
  ASSERT_EQ(split.size(), 4u);
  ExpectNear(split[0], cut(0, 3));
  ExpectNear(split[1], cut(3, 4));
  ExpectNear(split[2], cut(4, 4));
  ExpectNear(split[3], cut(4, 7));
  const auto sections = RunOp("split", {whole}, {{"indices_or_sections", 3}, {"axis", 1}});
  ASSERT_EQ(sections.size(), 3u);
  ExpectNear(sections[0], cut(0, 3));
  ExpectNear(sections[2], cut(6, 7));
}

TEST(CreateValues, FillAndCount) {
  const TypedArray x = RandomArray({3, 4}, "float32", 1);
  ExpectNear(RunOp("full", {ShapeArg{{2}}, TypedArray{Array({}, 2.5), "float32"}})[0],
             Array({2}, {2.5, 2.5}));
  ExpectNear(RunOp("ones_like", {x})[0], Array({3, 4}, 1));
  ExpectNear(RunOp("zeros", {ShapeArg{{3}}}, {{"dtype", ir::DType::Int(8)}})[0], Array({3}, 0));
  const ir::AttrMap f32 = {{"dtype", ir::DType::Float(32)}};
  ExpectNear(RunOp("arange", {int64_t{1}, int64_t{8}, int64_t{3}}, f32)[0], Array({3}, {1, 4, 7}));
  ExpectNear(RunOp("arange", {int64_t{5}, int64_t{0}, int64_t{-2}}, f32)[0], Array({3}, {5, 3, 1}));
  ExpectNear(RunOp("arange", {0.0, 1.0, 0.25}, f32)[0], Array({4}, {0, 0.25, 0.5, 0.75}));
  ExpectNear(RunOp("arange", {int64_t{3}, int64_t{1}, int64_t{1}}, f32)[0], Array(Shape{0}));
  ExpectNear(RunOp("eye", {int64_t{2}, int64_t{3}, int64_t{1}})[0],
             Array({2, 3}, {0, 1, 0, 0, 0, 1}));
  Array lower({3, 4}), upper({3, 4});
  ForEach(lower.shape, [&](const Shape& i) {
    lower[i] = i[1] - i[0] <= -1 ? x.array[i] : 0;
    upper[i] = i[1] - i[0] >= 1 ? x.array[i] : 0;
  });
  ExpectNear(RunOp("tril", {x, int64_t{-1}})[0], lower);
  ExpectNear(RunOp("triu", {x, int64_t{1}})[0], upper);
  Array window({5});
  for (int i = 0; i < 5; ++i) window.data[i] = 0.54 - 0.46 * std::cos(2 * M_PI * i / 4);
  ExpectNear(RunOp("hamming_window", {int64_t{5}, int64_t{0}, 0.54, 0.46}, f32)[0], window);
  for (int64_t periodic : {0, 1}) {
    const TypedArray alone = RunOp("hamming_window", {int64_t{1}, periodic, 0.54, 0.46}, f32)[0];
    ExpectNear(alone, Array({1}, std::vector<double>(1, 1.0)));
  }
}

}  // namespace
}  // namespace lathe::ops
