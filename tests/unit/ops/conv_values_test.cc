// Values of conv.cc, pool.cc against plain loops over doubles; their inference.
#include <algorithm>
#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/infer_probe.h"
#include "tests/support/op_runner.h"
#include "tests/support/op_sweep.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using ::testing::HasSubstr;
using testing::InferProbe;
using testing::IntList;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

struct Numbers2d {
  Shape strides = {1, 1}, padding = {0, 0, 0, 0}, dilation = {1, 1}, output_padding = {0, 0};
  int64_t groups = 1;
  ir::AttrMap attrs() const {
    return {{"strides", IntList(strides)},
            {"padding", IntList(padding)},
            {"dilation", IntList(dilation)},
            {"groups", groups}};
  }
};

bool Inside(const Array& x, const Shape& at) {
  for (size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= x.shape[i]) return false;
  }
  return true;
}

// NCHW by OIHW.
Array Conv2d(const Array& x, const Array& w, const Numbers2d& n) {
  const auto length = [&](int i) {
    const int64_t reach = (w.shape[2 + i] - 1) * n.dilation[i] + 1;
    return (x.shape[2 + i] + n.padding[i] + n.padding[2 + i] - reach) / n.strides[i] + 1;
  };
  Array out({x.shape[0], w.shape[0], length(0), length(1)});
  const int64_t per_group = w.shape[0] / n.groups;
  ForEach(out.shape, [&](const Shape& o) {
    ForEach({w.shape[1], w.shape[2], w.shape[3]}, [&](const Shape& k) {
      const Shape from = {o[0], o[1] / per_group * w.shape[1] + k[0],
                          o[2] * n.strides[0] + k[1] * n.dilation[0] - n.padding[0],
                          o[3] * n.strides[1] + k[2] * n.dilation[1] - n.padding[1]};
      if (Inside(x, from)) out[o] += x[from] * w[{o[1], k[0], k[1], k[2]}];
    });
  });
  return out;
}

// Each element of x is spread over the result. NCHW by IOHW.
Array Conv2dTranspose(const Array& x, const Array& w, const Numbers2d& n) {
  const auto length = [&](int i) {
    return (x.shape[2 + i] - 1) * n.strides[i] - n.padding[i] - n.padding[2 + i] +
           (w.shape[2 + i] - 1) * n.dilation[i] + n.output_padding[i] + 1;
  };
  Array out({x.shape[0], w.shape[1] * n.groups, length(0), length(1)});
  const int64_t per_group = x.shape[1] / n.groups;
  ForEach(x.shape, [&](const Shape& i) {
    ForEach({w.shape[1], w.shape[2], w.shape[3]}, [&](const Shape& k) {
      const Shape to = {i[0], i[1] / per_group * w.shape[1] + k[0],
                        i[2] * n.strides[0] + k[1] * n.dilation[0] - n.padding[0],
                        i[3] * n.strides[1] + k[2] * n.dilation[1] - n.padding[1]};
      if (Inside(out, to)) out[to] += x[i] * w[{i[1], k[0], k[1], k[2]}];
    });
  });
  return out;
}

const std::pair<std::pair<Shape, Shape>, Numbers2d> kConvs[] = {
    {{{1, 3, 5, 6}, {4, 3, 3, 2}}, {}},
    {{{2, 2, 7, 7}, {3, 2, 3, 3}}, {{2, 3}, {1, 0, 2, 1}, {1, 1}}},
    {{{1, 4, 6, 6}, {6, 2, 2, 2}}, {{1, 1}, {1, 1, 1, 1}, {2, 2}, {0, 0}, 2}},
    {{{1, 4, 5, 5}, {4, 1, 3, 3}}, {{1, 1}, {1, 1, 1, 1}, {1, 1}, {0, 0}, 4}},
    {{{1, 1, 1, 1}, {1, 1, 1, 1}}, {}},
};

TEST(ConvValues, AgreeWithPlainLoops) {
  uint32_t seed = 1;
  for (const auto& [shapes, n] : kConvs) {
    const TypedArray x = RandomArray(shapes.first, "float32", seed++);
    const TypedArray w = RandomArray(shapes.second, "float32", seed++);
    ExpectNear(RunOp("nn.conv2d", {x, w}, n.attrs())[0], Conv2d(x.array, w.array, n));
  }
}

TEST(ConvValues, OtherLayoutsAreTheSameNumbers) {
  const TypedArray x = RandomArray({1, 4, 5, 6}, "float32", 1);
  const TypedArray w = RandomArray({8, 4, 3, 3}, "float32", 2);
  const Numbers2d n = {{1, 2}, {1, 1, 1, 1}};
  const Array want = Conv2d(x.array, w.array, n);
  Array nhwc({1, 5, 6, 4}), hwio({3, 3, 4, 8}), packed({1, 2, 5, 6, 2}), out({1, 5, 3, 8});
  ForEach(x.array.shape, [&](const Shape& i) {
    nhwc[{i[0], i[2], i[3], i[1]}] = x.array[i];
    packed[{i[0], i[1] / 2, i[2], i[3], i[1] % 2}] = x.array[i];
  });
  ForEach(w.array.shape, [&](const Shape& i) { hwio[{i[2], i[3], i[1], i[0]}] = w.array[i]; });
  ForEach(want.shape, [&](const Shape& i) { out[{i[0], i[2], i[3], i[1]}] = want[i]; });
  ir::AttrMap attrs = n.attrs();
  attrs["data_layout"] = "NHWC";
  attrs["kernel_layout"] = "HWIO";
  ExpectNear(RunOp("nn.conv2d", {TypedArray{nhwc}, TypedArray{hwio}}, attrs)[0], out);
  attrs["data_layout"] = "NCHW2c";
  attrs["out_layout"] = "NHWC";
  ExpectNear(RunOp("nn.conv2d", {TypedArray{packed}, TypedArray{hwio}}, attrs)[0], out);
}

TEST(ConvValues, TransposesSpread) {
  const std::pair<std::pair<Shape, Shape>, Numbers2d> cases[] = {
      {{{1, 3, 4, 3}, {3, 2, 3, 2}}, {}},
      {{{2, 2, 3, 3}, {2, 3, 3, 3}}, {{2, 3}, {1, 0, 1, 1}, {1, 1}, {1, 2}}},
      {{{1, 4, 3, 3}, {4, 2, 2, 2}}, {{2, 2}, {0, 0, 0, 0}, {2, 1}, {0, 0}, 2}}};
  uint32_t seed = 10;
  for (const auto& [shapes, n] : cases) {
    const TypedArray x = RandomArray(shapes.first, "float32", seed++);
    const TypedArray w = RandomArray(shapes.second, "float32", seed++);
    ir::AttrMap attrs = n.attrs();
    attrs["output_padding"] = IntList(n.output_padding);
    ExpectNear(RunOp("nn.conv2d_transpose", {x, w}, attrs)[0],
               Conv2dTranspose(x.array, w.array, n));
  }
}

TEST(ConvValues, OneAndThreeAxes) {
  const TypedArray x = RandomArray({2, 3, 8}, "float32", 1),
                   w = RandomArray({4, 3, 3}, "float32", 2);
  const Array flat = Conv2d(Array({2, 3, 1, 8}, x.array.data), Array({4, 3, 1, 3}, w.array.data),
                            {{1, 2}, {0, 1, 0, 1}});
  ExpectNear(RunOp("nn.conv1d", {x, w}, {{"strides", 2}, {"padding", 1}})[0],
             Array({2, 4, 4}, flat.data));
  const TypedArray y = RandomArray({1, 2, 1, 5, 5}, "float32", 3),
                   v = RandomArray({3, 2, 1, 2, 2}, "float32", 4);
  const Array deep =
      Conv2d(Array({1, 2, 5, 5}, y.array.data), Array({3, 2, 2, 2}, v.array.data), {});
  ExpectNear(RunOp("nn.conv3d", {y, v})[0], Array({1, 3, 1, 4, 4}, deep.data));
  const TypedArray q = RandomArray({1, 2, 4, 4}, "int8", 5),
                   r = RandomArray({3, 2, 3, 3}, "int8", 6);
  ExpectNear(RunOp("nn.conv2d", {q, r}, {{"out_dtype", ir::DType::Int(32)}})[0],
             Conv2d(q.array, r.array, {}));
}

TEST(ConvInference, GivesSizesAsExpressions) {
  InferProbe p;
  const auto conv = [&](absl::string_view x, absl::string_view w, ir::AttrMap attrs) {
    return p.Infer("nn.conv2d", {p.T(x, "float32"), p.T(w, "float32")}, attrs);
  };
  EXPECT_EQ(conv("n, 3, h, 28", "8, 3, 3, 3", {{"padding", 1}}),
            "R.Tensor((n, 8, h, 28), dtype=\"float32\")");
  EXPECT_EQ(conv("n, 3, 28, 28", "8, 3, 3, 3", {{"strides", 2}}),
            "R.Tensor((n, 8, 13, 13), dtype=\"float32\")");
  EXPECT_THAT(conv("n, 4, 28, 28", "8, 3, 3, 3", {}), HasSubstr("has 4 channels"));
  EXPECT_THAT(conv("n, 3, 2, 28", "8, 3, 5, 3", {}), HasSubstr("smaller than the kernel"));
  EXPECT_THAT(conv("n, 3, 28, 28", "8, 3, 3, 3", {{"data_layout", "NCHX"}}),
              HasSubstr("must be a permutation of the axes NCHW"));
  EXPECT_THAT(conv("n, 3, 28, 28", "8, 3, 3, 3", {{"strides", 0}}),
              HasSubstr("must be between 1 and"));
  EXPECT_EQ(conv("n, 3, 28", "8, 3, 3, 3", {}).substr(0, 16), "op-argument-rank");
}

// `fold` of the elements of x in each window.
Array Pool2d(const Array& x, const Shape& size, const Numbers2d& n, bool ceil,
             double (*fold)(const std::vector<double>&, int64_t)) {
  const auto length = [&](int i) {
    const int64_t room =
        x.shape[2 + i] + n.padding[i] + n.padding[2 + i] - (size[i] - 1) * n.dilation[i] - 1;
    int64_t windows = (ceil ? (room + n.strides[i] - 1) / n.strides[i] : room / n.strides[i]) + 1;
    // A window that would start in the padding after the image is skipped.
    if (ceil && (windows - 1) * n.strides[i] >= x.shape[2 + i] + n.padding[i]) --windows;
    return windows;
  };
  Array out({x.shape[0], x.shape[1], length(0), length(1)});
  ForEach(out.shape, [&](const Shape& o) {
    std::vector<double> met;
    int64_t counted = 0;  // with the padding, but not beyond it
    ForEach(size, [&](const Shape& k) {
      const Shape from = {o[0], o[1], o[2] * n.strides[0] + k[0] * n.dilation[0] - n.padding[0],
                          o[3] * n.strides[1] + k[1] * n.dilation[1] - n.padding[1]};
      if (Inside(x, from)) met.push_back(x[from]);
      counted += from[2] < x.shape[2] + n.padding[2] && from[3] < x.shape[3] + n.padding[3];
    });
    out[o] = fold(met, counted);
  });
  return out;
}

double Max(const std::vector<double>& v, int64_t) { return *std::max_element(v.begin(), v.end()); }
double Total(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x;
  return sum;
}
double Mean(const std::vector<double>& v, int64_t) { return Total(v) / double(v.size()); }
double PaddedMean(const std::vector<double>& v, int64_t n) { return Total(v) / double(n); }

TEST(PoolValues, AgreeWithPlainLoops) {
  const TypedArray x = RandomArray({2, 3, 7, 6}, "float32", 1);
  const Numbers2d kCases[] = {
      {},
      {{2, 2}, {1, 1, 1, 1}},
      {{2, 1}, {0, 1, 1, 0}, {2, 1}},
      {{3, 3}, {1, 1, 0, 0}},
      {{4, 3}, {1, 1, 1, 1}},
  };
  for (const Numbers2d& n : kCases) {
    for (bool ceil : {false, true}) {
      const Shape size = {3, 2};
      ir::AttrMap attrs = n.attrs();
      attrs.erase("groups");
      attrs["pool_size"] = IntList(size);
      attrs["ceil_mode"] = ceil;
      ExpectNear(RunOp("nn.max_pool2d", {x}, attrs)[0], Pool2d(x.array, size, n, ceil, Max));
      ExpectNear(RunOp("nn.avg_pool2d", {x}, attrs)[0], Pool2d(x.array, size, n, ceil, Mean));
      attrs["count_include_pad"] = true;
      ExpectNear(RunOp("nn.avg_pool2d", {x}, attrs)[0], Pool2d(x.array, size, n, ceil, PaddedMean));
    }
  }
}

TEST(PoolInference, LeavesOutWindowsThatStartAfterTheImage) {
  InferProbe p;
  const auto pool = [&](absl::string_view x, int64_t size, int64_t stride) {
    return p.Infer("nn.max_pool1d", {p.T(x, "float32")},
                   {{"pool_size", size}, {"strides", stride}, {"ceil_mode", true}});
  };
  EXPECT_EQ(pool("1, 3, 4", 1, 2), "R.Tensor((1, 3, 2), dtype=\"float32\")");
  EXPECT_EQ(pool("1, 3, 4", 2, 3), "R.Tensor((1, 3, 2), dtype=\"float32\")");
  EXPECT_EQ(pool("1, 3, n", 1, 2), "R.Tensor((1, 3, (n - 1) // 2 + 1), dtype=\"float32\")");
}

TEST(PoolValues, AdaptiveWindowsCoverEverything) {
  const TypedArray x = RandomArray({1, 2, 7, 5}, "float32", 2);
  for (const Shape& size : {Shape{1, 1}, Shape{3, 2}, Shape{7, 5}, Shape{9, 4}}) {
    Array want({1, 2, size[0], size[1]});
    ForEach(want.shape, [&](const Shape& o) {
      std::vector<double> met;
      const auto in = [&](int i, int64_t at) {
        const double length = double(x.array.shape[2 + i]), n = double(size[i]);
        return at >= std::floor(double(o[2 + i]) * length / n) &&
               at < std::ceil(double(o[2 + i] + 1) * length / n);
      };
      ForEach(x.array.shape, [&](const Shape& i) {
        if (i[0] == o[0] && i[1] == o[1] && in(0, i[2]) && in(1, i[3])) met.push_back(x.array[i]);
      });
      want[o] = Mean(met, 0);
    });
    ExpectNear(RunOp("nn.adaptive_avg_pool2d", {x}, {{"output_size", IntList(size)}})[0], want);
  }
}

}  // namespace
}  // namespace lathe::ops
