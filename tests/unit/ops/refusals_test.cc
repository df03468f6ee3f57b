// What inference refuses of sizes, layouts and dtypes that an operator can make nothing of.
#include <cmath>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"
#include "tests/support/op_sweep.h"

namespace lathe::ops {
namespace {

using ::testing::HasSubstr;
using testing::InferProbe;
using ::testing::StartsWith;

TEST(Refusals, BlocksOfAnotherLength) {
  InferProbe p;
  const auto conv = [&](absl::string_view x, absl::string_view w, ir::AttrMap attrs) {
    return p.Infer("nn.conv2d", {p.T(x, "float32"), p.T(w, "float32")}, std::move(attrs));
  };
  const ir::AttrMap blocked = {{"data_layout", "NCHW4c"}, {"out_layout", "NCHW2c"}};
  EXPECT_EQ(conv("1, 1, 3, 3, 4", "6, 4, 1, 1", blocked),
            "R.Tensor((1, 3, 3, 3, 2), dtype=\"float32\")");
  EXPECT_EQ(
      conv("1, 1, 3, 3, 5", "6, 4, 1, 1", blocked),
      "op-argument-shape: dimension 4 of 'data' of R.nn.conv2d (v2: R.Tensor((1, 1, 3, 3, 5), "
      "dtype=\"float32\")) must be 4, its block in the layout \"NCHW4c\", got 5");
  EXPECT_EQ(conv("1, 1, 3, 3, 4", "3, 4, 1, 1", blocked),
            "op-argument-shape: the result of R.nn.conv2d in the layout \"NCHW2c\" must have a "
            "multiple of 2 elements along C, got 3");
  const ir::AttrMap kernel = {{"data_layout", "NCHW"}, {"kernel_layout", "OIHW4i4o"}};
  EXPECT_THAT(conv("1, 4, 3, 3", "1, 1, 1, 1, 4, 3", kernel),
              HasSubstr("must be 4, its block in the layout \"OIHW4i4o\", got 3"));
  EXPECT_THAT(p.Infer("nn.max_pool2d", {p.T("1, 1, 3, 3, 2", "float32")}, {{"layout", "NCHW4c"}}),
              HasSubstr("must be 4, its block in the layout \"NCHW4c\", got 2"));
  EXPECT_THAT(p.Infer("nn.max_pool2d", {p.T("1, 6, 3, 3", "float32")}, {{"out_layout", "NCHW4c"}}),
              HasSubstr("must have a multiple of 4 elements along C, got 6"));
}

TEST(Refusals, WindowsLargerThanTheImage) {
  InferProbe p;
  const auto pool = [&](absl::string_view x, ir::AttrMap attrs) {
    attrs["pool_size"] = 5;
    return p.Infer("nn.max_pool2d", {p.T(x, "float32")}, std::move(attrs));
  };
  EXPECT_EQ(pool("1, 1, 5, 5", {}), "R.Tensor((1, 1, 1, 1), dtype=\"float32\")");
  EXPECT_EQ(pool("1, 1, 3, 3", {{"padding", 1}}), "R.Tensor((1, 1, 1, 1), dtype=\"float32\")");
  EXPECT_THAT(pool("1, 1, 4, 5", {}), HasSubstr("axis H of 'data' of R.nn.max_pool2d"));
  EXPECT_THAT(pool("1, 1, 5, 4", {{"strides", 3}}),
              HasSubstr("with padding must be at least the window, 5, got 4"));
}

TEST(Refusals, InvalidSizes) {
  InferProbe p;
  ir::Context& ir = p.ir();
  const auto eye = [&](const ir::Operand& n, const ir::Operand& k) {
    return p.Infer("eye", {n, p.Prim("4"), k}, {{"dtype", ir::DType::Float(32)}});
  };
  const auto real = [&](double value) {
    return p.Of(ir.Prim(ir::DType::Float(64), ir.Float(value, ir::DType::Float(64))));
  };
  EXPECT_EQ(eye(p.Prim("3"), p.Prim("1")), "R.Tensor((3, 4), dtype=\"float32\")");
  EXPECT_THAT(eye(p.Prim("-3"), p.Prim("0")), HasSubstr("must not be negative, got -3"));
  EXPECT_THAT(eye(real(2.5), p.Prim("0")), HasSubstr("must be an integer, got float64"));
  EXPECT_THAT(eye(p.Prim("3"), real(0.5)), HasSubstr("must be an integer, got float64"));
  EXPECT_THAT(p.Infer("triu", {p.T("2, 2", "float32"), real(0.5)}),
              StartsWith("op-argument-dtype: 'k' of R.triu"));
  const auto arange = [&](double start, double end, double step) {
    return p.Infer("arange", {real(start), real(end), real(step)},
                   {{"dtype", ir::DType::Float(32)}});
  };
  EXPECT_EQ(arange(0, 1, 0.25), "R.Tensor((4,), dtype=\"float32\")");
  EXPECT_THAT(arange(0, 1e16, 1), HasSubstr("must have at most 1e15 elements, got 1e+16"));
  EXPECT_THAT(arange(0, 1, NAN), HasSubstr("must be a number, got nan"));
  EXPECT_THAT(p.Infer("image.affine_grid", {p.T("1, 2, 3", "float32"), p.Shape("-1, 4")}),
              HasSubstr("must not have negative lengths, got -1"));
  EXPECT_THAT(p.Infer("vision.roi_align", {p.T("1, 1, 4, 4", "float32"), p.T("1, 5", "float32")},
                      {{"pooled_size", testing::IntList({-1, 2})}, {"spatial_scale", 1.0}}),
              StartsWith("op-attribute: 'pooled_size' of R.vision.roi_align must not be negative"));
  EXPECT_THAT(p.Infer("median", {p.T("0, 2", "float32")}),
              HasSubstr("computes the median, got 0 along axis 0"));
  EXPECT_EQ(p.Infer("median", {p.T("0, 2", "float32")}, {{"axis", 1}}),
            "R.Tuple(R.Tensor((0,), dtype=\"float32\"), R.Tensor((0,), dtype=\"int64\"))");
}

TEST(Refusals, DTypesWithoutTheOperation) {
  InferProbe p;
  const auto unary = [&](absl::string_view op, absl::string_view dtype) {
    return p.Infer(op, {p.T("2", dtype)});
  };
  const auto binary = [&](absl::string_view op, absl::string_view dtype) {
    return p.Infer(op, {p.T("2", dtype), p.T("2", dtype)});
  };
  for (const char* op : {"bitwise_and", "bitwise_or", "bitwise_xor"}) {
    EXPECT_THAT(binary(op, "float32"), HasSubstr("an integer or bool dtype, got float32")) << op;
    EXPECT_EQ(binary(op, "bool"), "R.Tensor((2,), dtype=\"bool\")") << op;
    EXPECT_EQ(binary(op, "uint8"), "R.Tensor((2,), dtype=\"uint8\")") << op;
  }
  for (const char* op : {"left_shift", "right_shift"}) {
    EXPECT_THAT(binary(op, "float32"), HasSubstr("must be of an integer dtype, got float32")) << op;
    EXPECT_EQ(binary(op, "int8"), "R.Tensor((2,), dtype=\"int8\")") << op;
  }
  for (const char* op : {"atan2", "log_add_exp"}) {
    EXPECT_THAT(binary(op, "int32"), HasSubstr("a floating-point dtype, got int32")) << op;
    EXPECT_EQ(binary(op, "float16"), "R.Tensor((2,), dtype=\"float16\")") << op;
  }
  EXPECT_THAT(unary("bitwise_not", "float32"), HasSubstr("an integer or bool dtype, got float32"));
  EXPECT_EQ(unary("bitwise_not", "bool"), "R.Tensor((2,), dtype=\"bool\")");
  EXPECT_THAT(unary("std", "int32"), HasSubstr("a floating-point dtype, got int32"));
}

}  // namespace
}  // namespace lathe::ops
