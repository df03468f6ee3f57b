// Values of softmax.cc, take.cc, slice.cc against plain loops over doubles; their inference.
#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/infer_probe.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using ::testing::HasSubstr;
using testing::InferProbe;
using testing::Numbers;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

Array Softmax(const Array& x, size_t axis, bool logarithm) {
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    double sum = 0;
    Shape other = at;
    for (other[axis] = 0; other[axis] < x.shape[axis]; ++other[axis]) sum += std::exp(x[other]);
    out[at] = logarithm ? x[at] - std::log(sum) : std::exp(x[at]) / sum;
  });
  return out;
}

TEST(SoftmaxValues, AgreeWithPlainLoops) {
  const TypedArray x = RandomArray({2, 3, 4}, "float32", 1);
  for (int axis : {-1, 0, 1}) {
    const size_t front = axis < 0 ? 2 : static_cast<size_t>(axis);
    ExpectNear(RunOp("nn.softmax", {x}, {{"axis", axis}})[0], Softmax(x.array, front, false));
    ExpectNear(RunOp("nn.log_softmax", {x}, {{"axis", axis}})[0], Softmax(x.array, front, true));
  }
  const TypedArray big{Array({2}, {1000, 999}), "float32"};
  ExpectNear(RunOp("nn.softmax", {big})[0], Array({2}, {0.7310586, 0.2689414}));
}

TEST(SoftmaxValues, ActivationsWithParameters) {
  const TypedArray x = RandomArray({2, 3}, "float32", 2);
  Array leaky({2, 3}), soft({2, 3});
  ForEach(x.array.shape, [&](const Shape& i) {
    const double v = x.array[i];
    leaky[i] = v > 0 ? v : 0.2 * v;
    soft[i] = std::log1p(std::exp(2 * v)) / 2;
  });
  ExpectNear(RunOp("nn.leakyrelu", {x}, {{"alpha", 0.2}})[0], leaky);
  ExpectNear(RunOp("nn.softplus", {x}, {{"beta", 2.0}})[0], soft);
}

TEST(TakeValues, ChooseByIndices) {
  const TypedArray x = RandomArray({3, 4}, "float32", 1);
  const TypedArray i{Array({2, 2}, {2, 0, 1, 2}), "int32"};
  Array rows({2, 2, 4}), columns({3, 2, 2});
  ForEach(rows.shape, [&](const Shape& at) {
    rows[at] = x.array[{int64_t(i.array[{at[0], at[1]}]), at[2]}];
  });
  ForEach(columns.shape, [&](const Shape& at) {
    columns[at] = x.array[{at[0], int64_t(i.array[{at[1], at[2]}])}];
  });
  ExpectNear(RunOp("take", {x, i}, {{"axis", 0}})[0], rows);
  ExpectNear(RunOp("take", {x, i}, {{"axis", -1}})[0], columns);
  ExpectNear(RunOp("take", {x, int64_t{1}}, {{"axis", 0}})[0],
             Array({4}, {x.array[{1, 0}], x.array[{1, 1}], x.array[{1, 2}], x.array[{1, 3}]}));
  const TypedArray v{Array({3}, {10, 11, 12}), "float32"};
  const TypedArray far{Array({4}, {-1, 3, 5, 1}), "int64"};
  ExpectNear(RunOp("take", {v, far}, {{"mode", "wrap"}})[0], Array({4}, {12, 10, 12, 11}));
  ExpectNear(RunOp("take", {v, far}, {{"mode", "clip"}})[0], Array({4}, {10, 12, 12, 11}));
  ExpectNear(RunOp("take", {v, far}, {{"mode", "nan"}})[0], Array({4}, {NAN, NAN, NAN, 11}));
}

TEST(TakeValues, GatherAndOneHot) {
  const TypedArray x = RandomArray({3, 4}, "float32", 2);
  const TypedArray i{Array({2, 4}, {0, -1, 2, 1, 1, 1, 0, -3}), "int64"};
  Array want({2, 4});
  ForEach(want.shape, [&](const Shape& at) {
    const int64_t row = int64_t(i.array[at]);
    want[at] = x.array[{row < 0 ? row + 3 : row, at[1]}];
  });
  ExpectNear(RunOp("gather_elements", {x, i}, {{"axis", 0}})[0], want);
  const TypedArray places{Array({2, 2}, {0, 3, 2, -1}), "int64"};
  ExpectNear(RunOp("gather_nd", {x, places})[0], Array({2}, {x.array[{0, 3}], x.array[{2, 3}]}));
  const TypedArray per_row{Array({3, 1}, {3, 0, 1}), "int64"};
  ExpectNear(RunOp("gather_nd", {x, per_row}, {{"batch_dims", 1}})[0],
             Array({3}, {x.array[{0, 3}], x.array[{1, 0}], x.array[{2, 1}]}));
  const TypedArray classes{Array({2}, {2, 0}), "int32"};
  ExpectNear(RunOp("one_hot", {classes, 1.0, -1.0}, {{"depth", 3}})[0],
             Array({2, 3}, {-1, -1, 1, 1, -1, -1}));
  ExpectNear(RunOp("one_hot", {classes, int64_t{1}, int64_t{0}}, {{"depth", 3}, {"axis", 0}})[0],
             Array({3, 2}, {0, 1, 0, 0, 1, 0}));
}

TEST(SliceValues, FollowPythonsRules) {
  const TypedArray x{Array({5}, {0, 1, 2, 3, 4}), "float32"};
  const auto slice = [&](int64_t begin, int64_t end, int64_t stride) {
    return RunOp("strided_slice",
                 {x, Numbers{{0}}, Numbers{{begin}}, Numbers{{end}}, Numbers{{stride}}})[0];
  };
  ExpectNear(slice(1, 4, 1), Array({3}, {1, 2, 3}));
  ExpectNear(slice(-2, 100, 1), Array({2}, {3, 4}));
  ExpectNear(slice(0, INT64_MAX, 2), Array({3}, {0, 2, 4}));
  ExpectNear(slice(4, 0, -2), Array({2}, {4, 2}));
  ExpectNear(slice(-1, INT64_MIN, -1), Array({5}, {4, 3, 2, 1, 0}));
  ExpectNear(slice(3, 1, 1), Array(Shape{0}));
  const TypedArray y = RandomArray({3, 4, 2}, "int8", 1);
  Array want({3, 2, 1});
  ForEach(want.shape, [&](const Shape& i) { want[i] = y.array[{i[0], 1 + i[1] * 2, 1}]; });
  ExpectNear(RunOp("strided_slice",
                   {y, Numbers{{-1, 1}}, Numbers{{1, 1}}, Numbers{{2, 4}}, Numbers{{1, 2}}})[0],
             want);
}

TEST(SliceInference, KeepsSymbolicBounds) {
  InferProbe p;
  const auto slice = [&](absl::string_view begin, absl::string_view end, ir::AttrMap attrs = {}) {
    return p.Infer("strided_slice",
                   {p.T("n, 4", "int8"), p.Tuple({p.Prim("0")}), p.Tuple({p.Prim(begin)}),
                    p.Tuple({p.Prim(end)})},
                   attrs);
  };
  EXPECT_EQ(slice("0", "n"), "R.Tensor((n, 4), dtype=\"int8\")");
  EXPECT_EQ(slice("0", "9223372036854775807"), "R.Tensor((n, 4), dtype=\"int8\")");
  EXPECT_EQ(slice("a", "b", {{"assume_inbound", true}}), "R.Tensor((b - a, 4), dtype=\"int8\")");
  EXPECT_EQ(
      p.Infer("strided_slice", {p.T("8", "int8"), p.Tuple({p.Prim("0")}), p.Tuple({p.Prim("0")}),
                                p.Tuple({p.Prim("8")}), p.Tuple({p.Prim("s")})}),
      "R.Tensor((7 // max(1, min(s, 281474976710656)) + 1,), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("strided_slice", {p.T("n, 4", "int8"), p.Tuple({p.Prim("0")}), p.Tuple({}),
                                        p.Tuple({p.Prim("1")})}),
              HasSubstr("1 axis, 0 begins, 1 ends"));
}

TEST(TakeInference, ChecksItsArguments) {
  InferProbe p;
  EXPECT_EQ(p.Infer("take", {p.T("n, 4", "int8"), p.T("a, b", "int64")}, {{"axis", 0}}),
            "R.Tensor((a, b, 4), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("take", {p.T("n, 4", "int8"), p.T("a", "int64")}),
              HasSubstr("must have 1 dimension"));
  EXPECT_THAT(p.Infer("take", {p.T("n", "int8"), p.T("a", "float32")}),
              HasSubstr("must have an integer dtype"));
  EXPECT_THAT(p.Infer("take", {p.T("n", "int8"), p.T("a", "int8")}, {{"mode", "slow"}}),
              HasSubstr("one of \"fast\""));
}

}  // namespace
}  // namespace lathe::ops
