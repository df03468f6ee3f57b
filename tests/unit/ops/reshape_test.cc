// Inference of reshape.cc.
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"

namespace lathe::ops {
namespace {

using ::testing::HasSubstr;
using testing::InferProbe;

TEST(Reshape, FillsInMinusOneAndZero) {
  InferProbe p;
  const auto reshape = [&](ir::Operand x, absl::string_view shape) {
    return p.Infer("reshape", {x, p.Shape(shape)});
  };
  EXPECT_EQ(reshape(p.T("n, 4", "float32"), "n * 2, 2"), "R.Tensor((n * 2, 2), dtype=\"float32\")");
  EXPECT_EQ(reshape(p.T("n, 4", "float32"), "-1, 2"), "R.Tensor((n * 2, 2), dtype=\"float32\")");
  EXPECT_EQ(reshape(p.T("n, 4", "float32"), "0, 2, -1"), "R.Tensor((n, 2, 2), dtype=\"float32\")");
  EXPECT_EQ(reshape(p.T("0, 4", "float32"), "0, 5"), "R.Tensor((0, 5), dtype=\"float32\")");
  EXPECT_EQ(reshape(p.T(2, "float32"), "-1, 2"), "R.Tensor(dtype=\"float32\", ndim=2)");
  EXPECT_THAT(reshape(p.T("3, 4", "float32"), "5, 2"), HasSubstr("has 12 elements"));
  EXPECT_THAT(reshape(p.T("3, 4", "float32"), "-1, -1"), HasSubstr("one -1"));
  EXPECT_THAT(reshape(p.T("3, 4", "float32"), "3, 4, 0"), HasSubstr("the rank of the input is 2"));
}

TEST(Reshape, ShapesMayBeVariables) {
  InferProbe p;
  const ir::Operand known = p.Of(p.ir().Shape(p.Dims("2, n")));
  const ir::Operand unknown = p.Of(p.ir().Shape(2));
  EXPECT_EQ(p.Infer("reshape", {p.T("n, 2", "float32"), known}),
            "R.Tensor((2, n), dtype=\"float32\")");
  EXPECT_EQ(p.Infer("broadcast_to", {p.T("n, 1", "float32"), unknown}),
            p.Infer("reshape", {p.T("n, 2", "float32"), unknown}));
}

TEST(Reshape, RelativesCountDimensions) {
  InferProbe p;
  const ir::AttrList ends = {0, -1};
  EXPECT_EQ(p.Infer("flatten", {p.T("n, 4, 2", "int8")}), "R.Tensor((n * 8,), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("nn.batch_flatten", {p.T("n, 4, 2", "int8")}),
            "R.Tensor((n, 8), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("expand_dims", {p.T("n, 4", "int8")}, {{"axis", ends}}),
            "R.Tensor((1, n, 4, 1), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("squeeze", {p.T("1, 4, 1", "int8")}), "R.Tensor((4,), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("squeeze", {p.T("1, n, 1", "int8")}), "R.Tensor(dtype=\"int8\")");
  EXPECT_EQ(p.Infer("squeeze", {p.T("1, n, 1", "int8")}, {{"axis", 1}}),
            "R.Tensor((1, 1), dtype=\"int8\")");
}

TEST(BroadcastTo, ChecksEveryDimension) {
  InferProbe p;
  EXPECT_EQ(p.Infer("broadcast_to", {p.T("1, n", "int8"), p.Shape("4, 2, n")}),
            "R.Tensor((4, 2, n), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("broadcast_to", {p.T("3", "int8"), p.Shape("4")}),
              HasSubstr("its dimension 0 is 3, expected 4"));
  EXPECT_THAT(p.Infer("broadcast_to", {p.T("3, 1", "int8"), p.Shape("4")}),
              HasSubstr("op-argument-rank: "));
  EXPECT_EQ(p.Infer("concat", {p.Tuple({})}),
            "op-argument-count: R.concat needs at least one tensor");
}

TEST(Concat, AddsUpOneAxis) {
  InferProbe p;
  const auto concat = [&](std::vector<ir::Operand> tensors, int axis) {
    return p.Infer("concat", {p.Tuple(std::move(tensors))}, {{"axis", axis}});
  };
  const ir::Operand a = p.T("n, 3", "int8"), b = p.T("m, 3", "int8");
  EXPECT_EQ(concat({a, b, a}, 0), "R.Tensor((n * 2 + m, 3), dtype=\"int8\")");
  EXPECT_EQ(concat({a, b}, 1), "R.Tensor(dtype=\"int8\", ndim=2)");
  EXPECT_THAT(concat({a, p.T("n, 4", "int8")}, 0),
              HasSubstr("must have equal sizes in dimension 1"));
  EXPECT_THAT(concat({a, p.T("n", "int8")}, 0), HasSubstr("equal numbers of dimensions"));
}

TEST(Split, CutsAnAxis) {
  InferProbe p;
  EXPECT_EQ(p.Infer("split", {p.T("n, 9", "int8")}, {{"indices_or_sections", 2}, {"axis", 1}}),
            "R.Tuple(R.Tensor((n, 5), dtype=\"int8\"), R.Tensor((n, 4), dtype=\"int8\"))");
  EXPECT_THAT(p.Infer("split", {p.T("n, 9", "int8")}, {{"indices_or_sections", 0}}),
              HasSubstr("op-attribute: 'indices_or_sections'"));
}

}  // namespace
}  // namespace lathe::ops
