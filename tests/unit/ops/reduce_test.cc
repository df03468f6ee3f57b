// Inference of reduce.cc, matmul.cc.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"

namespace lathe::ops {
namespace {

using ::testing::HasSubstr;
using testing::InferProbe;

TEST(Reduce, RemovesOrKeepsAxes) {
  InferProbe p;
  const auto sum = [&](ir::Operand x, ir::AttrMap attrs) { return p.Infer("sum", {x}, attrs); };
  const ir::Operand x = p.T("a, 3, b", "float32");
  const ir::AttrList ends = {0, -1};
  EXPECT_EQ(sum(x, {}), "R.Tensor((), dtype=\"float32\")");
  EXPECT_EQ(sum(x, {{"axis", 1}}), "R.Tensor((a, b), dtype=\"float32\")");
  EXPECT_EQ(sum(x, {{"axis", ends}, {"keepdims", true}}), "R.Tensor((1, 3, 1), dtype=\"float32\")");
  EXPECT_EQ(sum(p.T(3, "float32"), {{"axis", ends}}), "R.Tensor(dtype=\"float32\", ndim=1)");
  EXPECT_EQ(sum(p.T(-1, "float32"), {{"axis", 0}}), "R.Tensor(dtype=\"float32\")");
  EXPECT_EQ(sum(p.T(-1, "float32"), {}), "R.Tensor((), dtype=\"float32\")");
}

TEST(Reduce, ChecksItsAxes) {
  InferProbe p;
  const ir::AttrList twice = {1, -1};
  EXPECT_EQ(p.Infer("sum", {p.T("2, 3", "int8")}, {{"axis", 2}}),
            "op-attribute: 'axis' of R.sum is 2, but the tensor has 2 dimensions");
  EXPECT_EQ(p.Infer("sum", {p.T("2, 3", "int8")}, {{"axis", twice}}),
            "op-attribute: 'axis' of R.sum names axis 1 more than once: [1, -1]");
  EXPECT_EQ(p.Infer("sum", {p.T("2, 3", "int8")}, {{"axis", "x"}}),
            "op-attribute: 'axis' of R.sum must be a list of integers");
}

TEST(Reduce, PositionsAreInt64) {
  InferProbe p;
  EXPECT_EQ(p.Infer("argmax", {p.T("n, 3", "float32")}, {{"axis", -1}}),
            "R.Tensor((n,), dtype=\"int64\")");
}

TEST(Matmul, BroadcastsBatches) {
  InferProbe p;
  const auto matmul = [&](absl::string_view a, absl::string_view b) {
    return p.Infer("matmul", {p.T(a, "float32"), p.T(b, "float32")});
  };
  EXPECT_EQ(matmul("2, 3", "3, 4"), "R.Tensor((2, 4), dtype=\"float32\")");
  EXPECT_EQ(matmul("3", "3"), "R.Tensor((), dtype=\"float32\")");
  EXPECT_EQ(matmul("3", "b, 3, 4"), "R.Tensor((b, 4), dtype=\"float32\")");
  EXPECT_EQ(matmul("b, 1, 5, k", "7, k, 4"), "R.Tensor((b, 7, 5, 4), dtype=\"float32\")");
  EXPECT_EQ(matmul("a, 5, k", "b, k, 4"), "R.Tensor(dtype=\"float32\", ndim=3)");
  EXPECT_THAT(matmul("2, 3", "4, 5"), HasSubstr("do not multiply: the last dimension of the "
                                                "first is 3, the matching dimension of the second "
                                                "is 4"));
  EXPECT_THAT(matmul("", "4, 5"), HasSubstr("must have at least 1 dimension, got 0"));
  EXPECT_EQ(p.Infer("matmul", {p.T("2, 3", "int8"), p.T("3, 4", "int8")},
                    {{"out_dtype", ir::DType::Int(32)}}),
            "R.Tensor((2, 4), dtype=\"int32\")");
}

}  // namespace
}  // namespace lathe::ops
