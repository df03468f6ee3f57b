// Inference of binary.cc, unary.cc.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"

namespace lathe::ops {
namespace {

using ::testing::HasSubstr;
using testing::InferProbe;
using ::testing::StartsWith;

TEST(Binary, BroadcastsWhatItCanProve) {
  InferProbe p;
  const auto add = [&](ir::Operand a, ir::Operand b) { return p.Infer("add", {a, b}); };
  EXPECT_EQ(add(p.T("2, 3", "float32"), p.T("2, 3", "float32")),
            "R.Tensor((2, 3), dtype=\"float32\")");
  EXPECT_EQ(add(p.T("4, 1, n", "float32"), p.T("m, 1", "float32")),
            "R.Tensor((4, m, n), dtype=\"float32\")");
  EXPECT_EQ(add(p.T("n + 1", "int8"), p.T("1 + n", "int8")), "R.Tensor((n + 1,), dtype=\"int8\")");
  EXPECT_EQ(add(p.T("n, 2", "int8"), p.T("m, 2", "int8")), "R.Tensor(dtype=\"int8\", ndim=2)");
  EXPECT_EQ(add(p.T("n, 2", "int8"), p.T(3, "int8")), "R.Tensor(dtype=\"int8\", ndim=3)");
  EXPECT_EQ(add(p.T("2", "int8"), p.T(-1, "")), "R.Tensor()");
  EXPECT_EQ(add(p.T("", "int8"), p.T("0, 2", "int8")), "R.Tensor((0, 2), dtype=\"int8\")");
}

TEST(Binary, RejectsIncompatibleShapes) {
  InferProbe p;
  const auto add = [&](ir::Operand a, ir::Operand b) { return p.Infer("add", {a, b}); };
  const ir::Operand wide = p.T("2, 3", "float32");
  EXPECT_EQ(add(wide, p.T("2", "float32")),
            "op-argument-shape: 'x1' of R.add (v0: R.Tensor((2, 3), dtype=\"float32\")) and 'x2' "
            "of R.add (v1: R.Tensor((2,), dtype=\"float32\")) do not broadcast: dimension 1 of "
            "the first is 3, dimension 0 of the second is 2");
  EXPECT_THAT(add(p.T("2", "float32"), p.T("2", "float16")),
              HasSubstr("must have equal dtypes, got float32 and float16"));
  EXPECT_THAT(add(p.T("2", "float32"), p.T("2", "float16")), StartsWith("op-argument-dtype: "));
  EXPECT_THAT(add(p.T("2", "float32"), p.Shape("2")), StartsWith("op-argument-kind: 'x2'"));
  EXPECT_EQ(p.Infer("add", {p.T("2", "float32")}), "argument 'x2' is missing");
}

TEST(Binary, ComparesToBool) {
  InferProbe p;
  EXPECT_EQ(p.Infer("less", {p.T("n", "int8"), p.T("n", "int8")}),
            "R.Tensor((n,), dtype=\"bool\")");
}

TEST(Binary, TakesScalars) {
  InferProbe p;
  EXPECT_EQ(p.Infer("add", {p.T("n", "int64"), p.Prim("2")}), "R.Tensor((n,), dtype=\"int64\")");
  EXPECT_EQ(p.Infer("add", {p.Prim("n"), p.Prim("2")}), "R.Prim(\"int64\")");
}

TEST(Binary, KeepsTheDevice) {
  InferProbe p;
  const ir::VDeviceRef gpu = p.ir().Make(ir::VDevice{"cuda", 0, "global"});
  const ir::VDeviceRef cpu = p.ir().Make(ir::VDevice{"llvm", 0, "global"});
  EXPECT_THAT(p.Infer("add", {p.T("2", "int8"), p.T("2", "int8", gpu)}), HasSubstr("cuda:0"));
  EXPECT_THAT(p.Infer("add", {p.T("2", "int8", cpu), p.T("2", "int8", gpu)}),
              StartsWith("vdevice-mismatch: "));
}

TEST(Unary, KeepsShapeAndDType) {
  InferProbe p;
  EXPECT_EQ(p.Infer("exp", {p.T("n, 2", "float16")}), "R.Tensor((n, 2), dtype=\"float16\")");
  EXPECT_EQ(p.Infer("nn.relu", {p.T("3", "int8")}), "R.Tensor((3,), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("exp", {p.T(2, "")}), "R.Tensor(ndim=2)");
  EXPECT_THAT(p.Infer("exp", {p.T("3", "int8")}),
              HasSubstr("must have a floating-point dtype, got int8"));
  EXPECT_EQ(p.Infer("isnan", {p.T("3", "float32")}), "R.Tensor((3,), dtype=\"bool\")");
}

}  // namespace
}  // namespace lathe::ops
