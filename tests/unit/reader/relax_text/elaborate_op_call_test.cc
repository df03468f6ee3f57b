#include "generator/reader/relax_text/relax/elaborate_op_call.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::DifferenceOf;
using testing::ProblemsOf;
using testing::ReadProgram;
using testing::ReadText;

std::string ModuleOf(const std::string& value) {
  return absl::StrCat(
      "@I.ir_module\nclass Module:\n"
      "    I.module_global_infos({\"vdevice\": [I.vdevice(\"cuda\", 0)]})\n"
      "    ext = R.ExternFunc(\"ext\")\n"
      "    @R.function(pure=False)\n"
      "    def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor, t: R.Tuple(R.Tensor)):\n"
      "        n = T.int64()\n        s: R.Shape = R.shape_of(x)\n        z = ",
      value, "\n        return z\n");
}
std::string DifferenceOfCalls(const std::string& a, const std::string& b) {
  return DifferenceOf(ModuleOf(a), ModuleOf(b));
}
// On line 9, from column 13.
std::string ProblemsOfCall(const std::string& value) { return ProblemsOf(ModuleOf(value)); }

// The last call that is bound.
const ir::Call& CallOf(const ReadProgram& program) {
  const ir::GlobalId main = *program.module->Find("main");
  return std::get<ir::Call>(
      program.module->globals[main].function()->body.blocks.back().bindings.back().rhs);
}

TEST(ElaborateOpCallTest, DefaultsAndShortForms) {
  EXPECT_EQ(DifferenceOfCalls("R.nn.softmax(x)", "R.nn.softmax(data=x, axis=-1)"), "");
  EXPECT_EQ(DifferenceOfCalls(
                "R.nn.conv2d(x, w, strides=2, padding=1)",
                "R.nn.conv2d(x, w, strides=[2, 2], padding=(1, 1, 1, 1), dilation=[1, 1], "
                "groups=1, data_layout=\"NCHW\", kernel_layout=\"OIHW\", out_layout=\"NCHW\", "
                "out_dtype=None)"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.nn.conv2d(x, w, out_dtype=\"void\")",
                              "R.nn.conv2d(x, w, out_dtype=None)"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.sum(x, 1)", "R.sum(x, axis=[1], keepdims=False)"), "");
  EXPECT_EQ(DifferenceOfCalls("R.sum(x, axis=R.prim_value(1))", "R.sum(x, axis=T.int64(1))"), "");
  EXPECT_EQ(DifferenceOfCalls("R.nn.leakyrelu(x, alpha=\"inf\")",
                              "R.nn.leakyrelu(x, alpha=float(\"inf\"))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.nn.relu6(x)", "R.clip(x, 0, 6)"), "");
  EXPECT_EQ(DifferenceOfCalls("R.dot(x, w)", "R.matmul(x, w)"), "");
  EXPECT_EQ(DifferenceOfCalls("add(x, nn.relu(w))", "R.add(x, R.nn.relu(w))"), "");
}

TEST(ElaborateOpCallTest, Arguments) {
  EXPECT_EQ(DifferenceOfCalls("R.reshape(x, (n, 2, 2))", "R.reshape(x, R.shape([n, 2, 2]))"), "");
  EXPECT_EQ(DifferenceOfCalls("R.reshape(x, [4 * n])", "R.reshape(x, shape=R.ShapeExpr((4 * n,)))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.concat([x, w], axis=0)", "R.concat((x, w))"), "");
  EXPECT_EQ(DifferenceOfCalls("R.strided_slice(x, [0], [0], [n])",
                              "R.strided_slice(x, (R.prim_value(0),), (0,), R.tuple(n))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.full((2,), 1.5, \"float32\")",
                              "R.full(R.shape([2]), R.const(1.5, \"float32\"), dtype=\"float32\")"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.print(x, w, format=\"{} {}\")",
                              "R.print(x, w, format=R.str(\"{} {}\"))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.memory.view(x, dtype=\"int8\")",
                              "R.memory.view(x, None, R.dtype(\"int8\"))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("R.to_vdevice(x, \"cuda\")",
                              "R.to_vdevice(x, dst_vdevice=\"cuda:0:global\")"),
            "");
  EXPECT_EQ(
      DifferenceOfCalls("R.hint_on_device(x, R.device(2, 0))",
                        "R.hint_on_device(x, R.device(device_type=\"cuda\", index=0), \"global\")"),
      "");
  EXPECT_EQ(DifferenceOfCalls("R.hint_on_device(x, R.cuda(0))", "R.hint_on_device(x, tvm.cuda())"),
            "");
}

TEST(ElaborateOpCallTest, CallsOfFunctions) {
  const std::string today = "R.call_dps_packed(\"f\", (x,), out_sinfo=R.Tensor((n, 4), \"int8\"))";
  for (const char* older : {
           "R.call_dps_packed(\"f\", x, R.Tensor((n, 4), dtype=\"int8\"))",
           "R.call_dps_packed(\"f\", [x], out_ty=[R.Tensor((n, 4), \"int8\")])",
           "R.call_dps_packed(R.ExternFunc(\"f\"), (x,), (n, 4), dtype=\"int8\")",
           "R.call_dps_packed(\"f\", (x), output_shape=(n, 4), output_dtype=\"int8\")",
           "R.call_tir(\"f\", (x,), (n, 4), dtype=\"int8\")",
       }) {
    EXPECT_EQ(DifferenceOfCalls(today, older), "") << older;
  }
  EXPECT_EQ(DifferenceOfCalls("R.call_tir(\"f\", (x,), s, dtype=\"int8\")",
                              "R.call_dps_packed(\"f\", x, R.Tensor(s, \"int8\"))"),
            "");
  EXPECT_EQ(DifferenceOfCalls("relax.call_tir((4,), \"f\", (x,))",
                              "R.call_dps_packed(\"f\", x, R.Tensor((4,)))"),
            "");
  EXPECT_EQ(
      DifferenceOfCalls(
          "R.call_tir(\"f\", x, ((4,), (n,)), dtype=(\"int8\", \"bool\"))",
          "R.call_dps_packed(\"f\", x, [R.Tensor((4,), \"int8\"), R.Tensor((n,), \"bool\")])"),
      "");
  EXPECT_EQ(DifferenceOfCalls("R.call_packed(\"f\", x, sinfo_args=R.Tensor)",
                              "R.ExternFunc(\"f\")(x, ty_args=[R.Tensor()])"),
            "");
  EXPECT_EQ(DifferenceOfCalls("Module.ext(x)", "ext(x)"), "");
  const ReadProgram program =
      ReadText(ModuleOf("R.call_packed(\"f\", x, attrs_type_key=\"a.B\", k=[1, 2.5])"));
  ASSERT_TRUE(program.module) << program.problems;
  const ir::Call& call = CallOf(program);
  EXPECT_EQ(*ir::FindAttr<std::string>(call.attrs, "attrs_type_key"), "a.B");
  EXPECT_EQ(ir::FindAttr<ir::AttrList>(call.attrs, "k")->size(), 2u);
}

TEST(ElaborateOpCallTest, TupleVariablesAreNotWrapped) {
  const ReadProgram program =
      ReadText(ModuleOf("R.call_dps_packed(\"f\", t, R.Tensor((4,), \"int8\"))"));
  ASSERT_TRUE(program.module) << program.problems;
  EXPECT_NE(CallOf(program).args[1].As<ir::ValueId>(), nullptr);
}

TEST(ElaborateOpCallTest, WrongCalls) {
  EXPECT_EQ(ProblemsOfCall("R.add(x)"), "9:13: wrong-arguments: R.add: argument 'x2' is missing\n");
  EXPECT_EQ(ProblemsOfCall("R.add(x, x, x)"),
            "9:25: wrong-arguments: R.add takes 2 arguments, got 3\n");
  EXPECT_EQ(ProblemsOfCall("R.add(x, x2=x, x1=x)"),
            "9:28: wrong-arguments: R.add gets 'x1' more than once\n");
  EXPECT_EQ(ProblemsOfCall("R.nn.softmax(x, axs=1)"),
            "9:29: wrong-arguments: R.nn.softmax has no parameter 'axs'; did you mean 'axis'?\n");
  EXPECT_EQ(ProblemsOfCall("R.nn.softmax(x, axis=\"1\")"),
            "9:34: wrong-kind-of-value: 'axis' must be an integer, got a string\n");
  EXPECT_EQ(ProblemsOfCall("R.nn.softmax(x, axis=n)"),
            "9:34: wrong-kind-of-value: 'axis' must be a constant, an integer, got a name\n");
  EXPECT_EQ(ProblemsOfCall("R.nn.relux(x)"),
            "9:13: unknown-operator: unknown operator R.nn.relux; did you mean 'nn.relu'?\n");
  EXPECT_EQ(ProblemsOfCall("R.call_dps_packed(\"f\", x)"),
            "9:13: wrong-arguments: R.call_dps_packed needs the StructInfo of its result\n");
  EXPECT_EQ(
      ProblemsOfCall("R.add(*t)"),
      "9:19: host-python: a starred expression is not supported: programs are parsed, not run\n");
  EXPECT_EQ(ProblemsOfCall("R.emit_te(x)"),
            "9:13: host-python: R.emit_te executes Python, which is not supported: programs are "
            "parsed, not run\n");
}

TEST(ElaborateOpCallTest, ReportsAllWrongArguments) {
  EXPECT_EQ(ProblemsOfCall("R.nn.softmax(missing, axis=\"1\")"),
            "9:26: var-not-bound-once: 'missing' is not bound anywhere\n9:40: wrong-kind-of-value: "
            "'axis' must be an integer, got a string\n");
}

}  // namespace
}  // namespace lathe::relax_text
