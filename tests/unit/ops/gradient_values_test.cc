// Values of gradient.cc. The forward operators only choose, weigh and add elements, so a gradient
// is right when <g, forward(x)> = <backward(g), x> for any g and x.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using testing::OpArg;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

double Product(const Array& a, const Array& b) {
  EXPECT_EQ(a.shape, b.shape);
  double sum = 0;
  for (size_t i = 0; i < a.data.size(); ++i) sum += a.data[i] * b.data[i];
  return sum;
}

void ExpectAdjoint(const std::string& forward, const std::string& backward,
                   const std::vector<OpArg>& args, const ir::AttrMap& attrs) {
  const TypedArray out = RunOp(forward, args, attrs)[0];
  TypedArray g = RandomArray(out.array.shape, out.dtype, 77);
  std::vector<OpArg> with_gradient = {g};
  with_gradient.insert(with_gradient.end(), args.begin(), args.end());
  const TypedArray back = RunOp(backward, with_gradient, attrs)[0];
  const Array& x = std::get<TypedArray>(args[0]).array;
  EXPECT_NEAR(Product(g.array, out.array), Product(back.array, x), 1e-3) << backward;
}

TEST(GradientValues, OfPooling) {
  const TypedArray x = RandomArray({2, 3, 7, 6}, "float32", 1);
  const ir::AttrList size = {3, 2}, strides = {2, 1}, padding = {1, 0, 1, 1}, dilation = {1, 2};
  for (const bool counts : {false, true}) {
    const ir::AttrMap attrs = {{"pool_size", size},
                               {"strides", strides},
                               {"padding", padding},
                               {"dilation", dilation},
                               {"count_include_pad", counts}};
    ExpectAdjoint("nn.avg_pool2d", "grad.avg_pool2d_backward", {x}, attrs);
    ExpectAdjoint("nn.max_pool2d", "grad.max_pool2d_backward", {x}, attrs);
  }
}

TEST(GradientValues, PoolingGradientGoesToTheFirstMaximum) {
  const TypedArray x{Array({1, 1, 2, 2}, 3.0), "float32"}, g{Array({1, 1, 1, 1}, 5.0), "float32"};
  const ir::AttrList two = {2, 2};
  const TypedArray back = RunOp("grad.max_pool2d_backward", {g, x}, {{"pool_size", two}})[0];
  EXPECT_EQ(back.array.data, (std::vector<double>{5, 0, 0, 0}));
}

TEST(GradientValues, OfNllLoss) {
  const TypedArray x = RandomArray({4, 3, 2}, "float32", 2);
  TypedArray targets{Array({4, 2}), "int64"};
  targets.array.data = {0, 1, 2, 1, 1, 0, 2, 2};
  TypedArray weights{Array({3}), "float32"};
  weights.array.data = {0.5, 2, 1};
  for (const char* reduction : {"none", "sum", "mean"}) {
    for (const int ignored : {-100, 1}) {
      const ir::AttrMap attrs = {{"reduction", reduction}, {"ignore_index", ignored}};
      ExpectAdjoint("nn.nll_loss", "grad.nll_loss_backward", {x, targets, weights}, attrs);
      ExpectAdjoint("nn.nll_loss", "grad.nll_loss_backward", {x, targets}, attrs);
    }
  }
}

TEST(GradientValues, TakeGradient) {
  const TypedArray x = RandomArray({3, 4, 2}, "float32", 3);
  TypedArray indices{Array({5}), "int32"};
  indices.array.data = {1, 3, 1, 0, 2};  // 1 twice
  ExpectAdjoint("take", "grad.take_backward", {x, indices}, {{"axis", 1}});
  TypedArray outside = indices;
  outside.array.data = {-1, 4, 9, 0, 2};
  for (const char* mode : {"wrap", "clip"}) {
    ExpectAdjoint("take", "grad.take_backward", {x, outside}, {{"axis", 1}, {"mode", mode}});
  }
  const TypedArray back =
      RunOp("grad.take_backward", {TypedArray{Array({3, 5, 2}, 1.0), "float32"}, x, outside},
            {{"axis", 1}, {"mode", "nan"}})[0];
  EXPECT_EQ((back.array[{0, 3, 0}]), 0);  // what is outside gives nothing back
  EXPECT_EQ((back.array[{0, 2, 0}]), 1);
}

}  // namespace
}  // namespace lathe::ops
