#include "generator/ops/call_tir.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"

namespace lathe::ops {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CallTirTest : public ::testing::Test {
 protected:
  ir::PrimParam Buffer(absl::string_view dims, absl::string_view dtype) {
    ir::Buffer buffer;
    buffer.name = "A";
    buffer.dtype = *ir::ParseDType(dtype);
    buffer.shape = p.Dims(dims);
    buffer.data = p.ir().NewPointer("A", buffer.dtype, "global");
    return {buffer.data, p.ir().NewBuffer(buffer), {}};
  }
  ir::PrimParam Scalar(absl::string_view name) { return {p.Dim(name), nullptr, {}}; }
  ir::Operand Func(std::vector<ir::PrimParam> params) {
    ir::PrimFunc func;
    func.params = std::move(params);
    return ir::Operand{p.module_.globals.Add({"f", std::move(func), {}})};
  }

  testing::InferProbe p;
};

TEST_F(CallTirTest, GivesTheOutputsAsWritten) {
  const ir::Operand f = Func({Buffer("m, k", "float32"), Buffer("m", "float32")});
  const ir::Operand x = p.T("n, 4", "float32");
  EXPECT_EQ(p.Infer("call_tir", {f, p.Tuple({x})}, {}, {p.Tensor("n", "float32")}),
            "R.Tensor((n,), dtype=\"float32\")");
  const ir::Operand g =
      Func({Buffer("m", "float32"), Buffer("m", "float32"), Buffer("m * 2", "int8")});
  EXPECT_EQ(p.Infer("call_tir", {g, p.Tuple({p.T("n", "float32")})}, {},
                    {p.Tensor("n", "float32"), p.Tensor("n * 2", "int8")}),
            "R.Tuple(R.Tensor((n,), dtype=\"float32\"), R.Tensor((n * 2,), dtype=\"int8\"))");
}

TEST_F(CallTirTest, RejectsArgumentsThatAreNotATuple) {
  const ir::Operand f = Func({Buffer("m", "float32"), Buffer("m", "float32")});
  EXPECT_THAT(p.Infer("call_tir", {f, p.Shape("4")}, {}, {p.Tensor("4", "float32")}),
              StartsWith("call-tir-args: "));
}

TEST_F(CallTirTest, RejectsCalleesThatAreNotPrimFuncs) {
  EXPECT_THAT(
      p.Infer("call_tir", {p.T("2", "float32"), p.Tuple({})}, {}, {p.Tensor("2", "float32")}),
      StartsWith("call-tir-callee: "));
}

TEST_F(CallTirTest, ReportsOnlyCertainMismatches) {
  const ir::Operand f = Func({Buffer("m, 4", "float32"), Buffer("m + 1", "float32")});
  const auto infer = [&](ir::Operand arg, ir::StructInfoRef out) {
    return p.Infer("call_tir", {f, p.Tuple({arg})}, {}, {out});
  };
  EXPECT_THAT(infer(p.T("8, 4", "float32"), p.Tensor("9", "float32")), StartsWith("R.Tensor"));
  EXPECT_EQ(infer(p.T("8, 4", "float32"), p.Tensor("8", "float32")),
            "call-tir-signature: R.call_tir of 'f': dimension 0 of output 0 must be 9, got 8");
  EXPECT_THAT(infer(p.T("8, 5", "float32"), p.Tensor("9", "float32")),
              HasSubstr("dimension 1 of argument 0 must be 4, got 5"));
  EXPECT_THAT(infer(p.T("8, q", "float32"), p.Tensor("9", "float32")), StartsWith("R.Tensor"));
  EXPECT_THAT(infer(p.T("8, 4", "float16"), p.Tensor("9", "float32")),
              HasSubstr("argument 0 must be of float32, got float16"));
  EXPECT_THAT(infer(p.T("8", "float32"), p.Tensor("9", "float32")),
              HasSubstr("argument 0 must have 2 dimensions, got 1"));
  EXPECT_THAT(infer(p.T(2, ""), p.Tensor("9", "float32")), StartsWith("R.Tensor"));
  EXPECT_THAT(p.Infer("call_tir", {f, p.Tuple({})}, {}, {p.Tensor("9", "float32")}),
              HasSubstr("passes 0 arguments and 1 output, but it has 2 parameters"));
}

TEST_F(CallTirTest, OutputsNeedDimensionsAndDType) {
  const ir::Operand f = Func({Buffer("m", "float32"), Buffer("m", "float32")});
  const ir::Operand args = p.Tuple({p.T("4", "float32")});
  EXPECT_THAT(p.Infer("call_tir", {f, args}, {}, {p.ir().Tensor(1, ir::DType::Float(32))}),
              StartsWith("call-tir-output: "));
  EXPECT_THAT(p.Infer("call_tir", {f, args}, {}, {p.Tensor("4", "")}),
              StartsWith("call-tir-output: "));
  EXPECT_THAT(p.Infer("call_tir", {f, args}, {}, {p.ir().Object()}),
              StartsWith("call-tir-output: "));
}

TEST_F(CallTirTest, ScalarsComeBeforeOutputsOrLast) {
  for (bool last : {false, true}) {
    const ir::PrimParam out = Buffer("m * k", "float32");
    const ir::Operand f = last ? Func({Buffer("m", "float32"), out, Scalar("k")})
                               : Func({Buffer("m", "float32"), Scalar("k"), out});
    EXPECT_THAT(p.Infer("call_tir", {f, p.Tuple({p.T("4", "float32")}), p.Shape("3")}, {},
                        {p.Tensor("12", "float32")}),
                StartsWith("R.Tensor"));
    EXPECT_THAT(p.Infer("call_tir", {f, p.Tuple({p.T("4", "float32")}), p.Shape("3")}, {},
                        {p.Tensor("13", "float32")}),
                HasSubstr("must be 12, got 13"));
  }
}

TEST_F(CallTirTest, InplaceIndicesAreChecked) {
  const ir::Operand f = Func({Buffer("m", "float32"), Buffer("m", "float32")});
  const ir::Operand x = p.T("4", "float32");
  const auto infer = [&](ir::AttrList indices, absl::string_view out) {
    return p.Infer("call_tir_inplace", {f, p.Tuple({x, x})}, {{"inplace_indices", indices}},
                   {p.Tensor(out, "float32")});
  };
  EXPECT_THAT(infer({1}, "4"), StartsWith("R.Tensor"));
  EXPECT_THAT(infer({2}, "4"), HasSubstr("holds 2, but the call has 2 arguments"));
  EXPECT_THAT(infer({-1}, "4"), HasSubstr("names no argument"));
  EXPECT_THAT(infer({0, 1}, "4"), HasSubstr("2 numbers for 1 output"));
  EXPECT_THAT(infer({0}, "5"), HasSubstr("cannot become the output"));
  const ir::AttrList twice = {0, 0};
  EXPECT_THAT(p.Infer("call_tir_inplace", {f, p.Tuple({x, x})}, {{"inplace_indices", twice}},
                      {p.Tensor("4", "float32"), p.Tensor("4", "float32")}),
              HasSubstr("names argument 0 twice"));
}

TEST_F(CallTirTest, PackedCallsTakePackedFunctions) {
  const ir::Operand packed{ir::ExternFunc{"f"}};
  const ir::Operand x = p.T("4", "float32");
  EXPECT_EQ(p.Infer("call_pure_packed", {packed, x}, {}, {p.Tensor("4", "int8")}),
            "R.Tensor((4,), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("call_pure_packed", {x, x}, {}, {p.Tensor("4", "int8")}),
              StartsWith("packed-callee: "));
  EXPECT_THAT(p.Infer("call_pure_packed", {packed, x}), StartsWith("packed-result: "));
  EXPECT_EQ(p.Infer("call_dps_packed", {packed, p.Tuple({x})}, {}, {p.Tensor("4", "int8")}),
            "R.Tensor((4,), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("call_inplace_packed", {packed, x}, {{"inplace_indices", ir::AttrList{0}}},
                      {p.Tensor("5", "float32")}),
              StartsWith("inplace-indices: argument 0"));
}

TEST_F(CallTirTest, AssertWantsAScalarBool) {
  EXPECT_EQ(p.Infer("assert_op", {p.T("", "bool"), ir::Operand{ir::StringImm{""}}}), "R.Tuple()");
  EXPECT_THAT(p.Infer("assert_op", {p.T("2", "bool"), ir::Operand{ir::StringImm{""}}}),
              StartsWith("op-argument-kind: 'condition'"));
}

TEST_F(CallTirTest, DevicesMoveTensorsInsideTuples) {
  const ir::VDeviceRef gpu = p.ir().Make(ir::VDevice{"cuda", 0, "global"});
  const ir::Operand data = p.Tuple({p.T("2", "int8"), p.Tuple({p.T("3", "int8")})});
  const std::string moved = p.Infer("to_vdevice", {data}, {{"dst_vdevice", gpu}});
  EXPECT_EQ(moved.find("cuda"), moved.find("cuda:0"));
  EXPECT_NE(moved.find("cuda"), moved.rfind("cuda"));
  EXPECT_THAT(p.Infer("to_vdevice", {p.Shape("2")}, {{"dst_vdevice", gpu}}),
              StartsWith("op-argument-kind: "));
}

TEST_F(CallTirTest, ShapesOfTensors) {
  EXPECT_EQ(p.Infer("shape_of", {p.T("n, 4", "float32")}), "R.Shape([n, 4])");
  EXPECT_EQ(p.Infer("shape_of", {p.T(2, "float32")}), "R.Shape(ndim=2)");
  EXPECT_EQ(p.Infer("tensor_to_shape", {p.T("3", "int64")}), "R.Shape(ndim=3)");
  EXPECT_EQ(p.Infer("shape_to_tensor", {p.Shape("n, 2")}), "R.Tensor((2,), dtype=\"int64\")");
  EXPECT_THAT(p.Infer("shape_of", {p.Shape("2")}), StartsWith("op-argument-kind: "));
}

}  // namespace
}  // namespace lathe::ops
