// Pooling, adaptive pooling and the gradients of pooling over dtypes, shapes, layouts, attributes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/layout.h"
#include "tests/reference/number.h"
#include "tests/reference/pool.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/float_dtypes.h"
#include "tests/unit/ops/last_axes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::InLayout;
using reference::PoolNumbers;
using reference::Shape;
using testing::ExactArray;
using testing::ExpectOp;
using testing::Ints;
using testing::TypedArray;

const char* const kPoolDTypes[] = {"float32", "float64", "float16", "bfloat16",
                                   "int8",    "uint8",   "int32",   "int64"};
const Shape kPoolLeading[] = {{2, 2}, {1, 4}, {0, 2}, {2, 0}, {1, 2}};
// Of up to three axes, of which the last ones are taken.
const Shape kPoolImages[] = {{4, 5, 7}, {2, 1, 4}, {3, 6, 1}};
const Shape kPoolSizes[] = {{1, 1, 1}, {2, 3, 2}, {3, 2, 3}};
const Shape kPoolStrides[] = {{1, 1, 1}, {2, 2, 2}, {2, 1, 3}};
const Shape kPoolDilations[] = {{1, 1, 1}, {2, 1, 2}};
const Shape kPoolPaddings[] = {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, {1, 0, 2, 0, 1, 1}};
struct PoolLayouts {
  const char *in, *out;
};
const PoolLayouts kPoolLayouts[] = {
    {"NCDHW", ""}, {"NDHWC", ""}, {"NCDHW", "NDHWC"}, {"NCDHW2c", ""}, {"NDHWC", "NCDHW2c"}};

// One choice of shape, layout and window, in a form that a pooling operator takes.
struct Case {
  TypedArray x;  // canonical
  PoolNumbers n;
  std::string axes, in, out;
  ir::AttrMap attrs;

  TypedArray As(const Array& array, const std::string& layout) const {
    return {InLayout(array, axes, layout), x.dtype};
  }
};

std::vector<Case> Cases(size_t rank, const std::vector<std::string>& dtypes) {
  std::vector<Case> cases;
  for (const auto& pick :
       testing::Pairwise({dtypes.size(), std::size(kPoolLeading), std::size(kPoolImages),
                          std::size(kPoolSizes), std::size(kPoolStrides), std::size(kPoolDilations),
                          std::size(kPoolPaddings), std::size(kPoolLayouts), 2})) {
    Case c;
    Shape shape = kPoolLeading[pick[1]];
    for (int64_t length : Last(kPoolImages[pick[2]], rank)) shape.push_back(length);
    c.x = ExactArray(shape, dtypes[pick[0]], static_cast<uint32_t>(cases.size()));
    const Shape& pads = kPoolPaddings[pick[6]];
    c.n = {Last(kPoolSizes[pick[3]], rank), Last(kPoolStrides[pick[4]], rank),
           Last(kPoolDilations[pick[5]], rank), Last({pads[0], pads[1], pads[2]}, rank),
           pick[8] == 1};
    for (int64_t after : Last({pads[3], pads[4], pads[5]}, rank)) c.n.padding.push_back(after);
    for (size_t i = 0; i < rank; ++i) {
      const int64_t room = shape[2 + i] + c.n.padding[i] + c.n.padding[rank + i];
      if (room < (c.n.size[i] - 1) * c.n.dilation[i] + 1) c.n.size[i] = 1;
    }
    c.axes = LayoutOf("NCDHW", rank);
    c.in = LayoutOf(kPoolLayouts[pick[7]].in, rank);
    c.out = *kPoolLayouts[pick[7]].out == '\0' ? c.in : LayoutOf(kPoolLayouts[pick[7]].out, rank);
    c.attrs = {{"pool_size", Ints(c.n.size)},
               {"strides", Ints(c.n.strides)},
               {"dilation", Ints(c.n.dilation)},
               {"padding", Ints(c.n.padding)},
               {"ceil_mode", c.n.ceil}};
    if (c.in != c.axes) c.attrs["layout"] = c.in;
    if (c.out != c.in) c.attrs["out_layout"] = c.out;
    cases.push_back(c);
  }
  return cases;
}

double Lowest(const std::string& dtype) {
  const bool real = reference::FormatOf(dtype).is_float();
  return real ? -std::numeric_limits<double>::infinity()
              : static_cast<double>(reference::LowestOf(dtype));
}

void SweepMax(const std::string& op, size_t rank) {
  for (const Case& c : Cases(rank, {std::begin(kPoolDTypes), std::end(kPoolDTypes)})) {
    const Array want = MaxPool(c.x.array, c.n, Lowest(c.x.dtype));
    ExpectOp(op, {c.As(c.x.array, c.in)}, c.attrs, {c.As(want, c.out)});
  }
}

void SweepAverage(const std::string& op, size_t rank) {
  bool all = false;
  for (Case& c : Cases(rank, {std::begin(kFloats), std::end(kFloats)})) {
    all = !all;
    c.attrs["count_include_pad"] = all;
    const Array want = AveragePool(c.x.array, c.n, all);
    ExpectOp(op, {c.As(c.x.array, c.in)}, c.attrs, {c.As(want, c.out)}, 1);
  }
}

TEST(PoolSweep, MaxPool1d) { SweepMax("nn.max_pool1d", 1); }
TEST(PoolSweep, MaxPool2d) { SweepMax("nn.max_pool2d", 2); }
TEST(PoolSweep, MaxPool3d) { SweepMax("nn.max_pool3d", 3); }
TEST(PoolSweep, AvgPool1d) { SweepAverage("nn.avg_pool1d", 1); }
TEST(PoolSweep, AvgPool2d) { SweepAverage("nn.avg_pool2d", 2); }
TEST(PoolSweep, AvgPool3d) { SweepAverage("nn.avg_pool3d", 3); }

// Averages of integers are cut towards zero. Sums beyond the dtype are averages within it.
TEST(PoolSweep, AveragesOfIntegers) {
  for (const Case& c : Cases(2, {"int32", "int64", "uint8", "int8"})) {
    TypedArray x = c.x;
    for (double& value : x.array.data) value *= 15;
    Array want = AveragePool(x.array, c.n, false);
    for (double& value : want.data) value = std::trunc(value);
    ExpectOp("nn.avg_pool2d", {c.As(x.array, c.in)}, c.attrs, {c.As(want, c.out)});
  }
}

void SweepAdaptive(const std::string& op, size_t rank) {
  const Shape kOutputs[] = {{1, 1, 1}, {2, 3, 4}, {3, 1, 9}, {0, 2, 0}, {}};
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kFloats), std::size(kPoolLeading), std::size(kPoolImages),
                          std::size(kOutputs), std::size(kPoolLayouts)})) {
    Shape shape = kPoolLeading[pick[1]];
    const Shape image = Last(kPoolImages[pick[2]], rank);
    shape.insert(shape.end(), image.begin(), image.end());
    const TypedArray x = ExactArray(shape, kFloats[pick[0]], seed++);
    const bool given = !kOutputs[pick[3]].empty();
    const Shape size = given ? Last(kOutputs[pick[3]], rank) : image;
    const std::string axes = LayoutOf("NCDHW", rank);
    const std::string in = LayoutOf(kPoolLayouts[pick[4]].in, rank);
    const std::string out =
        *kPoolLayouts[pick[4]].out == '\0' ? in : LayoutOf(kPoolLayouts[pick[4]].out, rank);
    ir::AttrMap attrs;
    if (given) attrs["output_size"] = Ints(size);
    if (in != axes) attrs["layout"] = in;
    if (out != in) attrs["out_layout"] = out;
    const Array want = AdaptiveAveragePool(x.array, size);
    ExpectOp(op, {TypedArray{InLayout(x.array, axes, in), x.dtype}}, attrs,
             {TypedArray{InLayout(want, axes, out), x.dtype}}, 1);
  }
}

TEST(PoolSweep, AdaptiveAvgPool1d) { SweepAdaptive("nn.adaptive_avg_pool1d", 1); }
TEST(PoolSweep, AdaptiveAvgPool2d) { SweepAdaptive("nn.adaptive_avg_pool2d", 2); }
TEST(PoolSweep, AdaptiveAvgPool3d) { SweepAdaptive("nn.adaptive_avg_pool3d", 3); }

TEST(PoolSweep, AveragesOfEmptyWindows) {
  for (const char* dtype : {"float32", "int32"}) {
    const TypedArray x{Array({1, 2, 0}), dtype}, zeros{Array({1, 2, 3}), dtype};
    ExpectOp("nn.adaptive_avg_pool1d", {x}, {{"output_size", 3}}, {zeros});
    ExpectOp("nn.avg_pool1d", {x}, {{"padding", 1}, {"count_include_pad", false}},
             {{Array({1, 2, 2}), dtype}});
  }
}

// Float16 has no whole numbers between 2048 and 2050: a sum kept in it would be stuck there.
TEST(PoolSweep, LargeWindowsOfHalves) {
  const TypedArray x{Array({1, 1, 60, 60}, 1.0), "float16"},
      one{Array({1, 1, 1, 1}, 1.0), "float16"};
  ExpectOp("nn.adaptive_avg_pool2d", {x}, {{"output_size", 1}}, {one});
  ExpectOp("nn.avg_pool2d", {x}, {{"pool_size", 60}}, {one});
  ExpectOp("nn.avg_pool2d", {x}, {{"pool_size", 60}, {"count_include_pad", true}}, {one});
  ExpectOp("grad.avg_pool2d_backward", {one, x}, {{"pool_size", 60}},
           {{Array({1, 1, 60, 60}, 1.0 / 3600), "float16"}});
}

TEST(PoolSweep, MaxPool2dGradient) {
  uint32_t seed = 100;
  for (const Case& c : Cases(2, {std::begin(kFloats), std::end(kFloats)})) {
    const TypedArray g = ExactArray(reference::Pooled(c.x.array.shape, c.n), c.x.dtype, seed++);
    const Array want = MaxPoolGradient(g.array, c.x.array, c.n);
    ExpectOp("grad.max_pool2d_backward", {c.As(g.array, c.out), c.As(c.x.array, c.in)}, c.attrs,
             {c.As(want, c.in)});
  }
}

TEST(PoolSweep, AvgPool2dGradient) {
  uint32_t seed = 100;
  bool all = false;
  for (Case& c : Cases(2, {std::begin(kFloats), std::end(kFloats)})) {
    all = !all;
    c.attrs["count_include_pad"] = all;
    const TypedArray g = ExactArray(reference::Pooled(c.x.array.shape, c.n), c.x.dtype, seed++);
    const Array want = AveragePoolGradient(g.array, c.x.array, c.n, all);
    ExpectOp("grad.avg_pool2d_backward", {c.As(g.array, c.out), c.As(c.x.array, c.in)}, c.attrs,
             {c.As(want, c.in)}, 6);
  }
}

}  // namespace
}  // namespace lathe::ops
