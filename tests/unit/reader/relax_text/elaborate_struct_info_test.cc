#include "generator/reader/relax_text/relax/elaborate_struct_info.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::DifferenceOf;
using testing::ProblemsOf;
using testing::ReadProgram;
using testing::ReadText;

std::string Signature(const std::string& params, const std::string& body = "return x") {
  return absl::StrCat("@R.function(private=True)\ndef main(", params, "):\n    ", body, "\n");
}
std::string DifferenceOfTypes(const std::string& a, const std::string& b) {
  return DifferenceOf(Signature("x: " + a), Signature("x: " + b));
}
// The annotation of the first parameter, as messages show it.
std::string Shown(const std::string& annotation) {
  const ReadProgram program = ReadText(Signature("x: " + annotation));
  if (!program.module) return program.problems;
  const ir::Function& f = *program.module->globals[ir::GlobalId{0}].function();
  return ir::ToString(program.module->values[f.params[0]].annotation);
}

TEST(ElaborateStructInfoTest, Tensors) {
  EXPECT_EQ(DifferenceOfTypes("R.Tensor", "R.Tensor()"), "");
  EXPECT_EQ(
      DifferenceOfTypes("R.Tensor((2, 3), \"float32\")", "R.Tensor([2, 3], dtype=\"float32\")"),
      "");
  EXPECT_EQ(
      DifferenceOfTypes("R.Tensor(\"float32\", ndim=2)", "R.Tensor(None, \"float32\", ndim=2)"),
      "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor(ndim=-1)", "R.Tensor"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor((T.int64(4),))", "R.Tensor((2 * 2,))"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor((), \"bool\")", "R.Tensor(shape=[], dtype=\"bool\")"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor(\"void\")", "R.Tensor"), "");
  EXPECT_NE(DifferenceOfTypes("R.Tensor((4,))", "R.Tensor(ndim=1)"), "");
  EXPECT_EQ(Shown("R.Tensor((\"n\", \"n * 2\", 4), \"int8\")"),
            "R.Tensor((n, n * 2, 4), dtype=\"int8\")");
}

TEST(ElaborateStructInfoTest, OldestTensors) {
  EXPECT_EQ(
      DifferenceOfTypes("R.Tensor[(n, k), \"float32\"]", "R.Tensor((\"n\", \"k\"), \"float32\")"),
      "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor[_, \"float32\"]", "R.Tensor(dtype=\"float32\")"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor[(n, 4), _]", "R.Tensor((\"n\", 4))"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tensor[(n * m, n, m)]", "R.Tensor((\"n * m\", \"n\", \"m\"))"),
            "");
  EXPECT_EQ(DifferenceOfTypes("Tensor[_, _]", "R.Tensor"), "");
}

TEST(ElaborateStructInfoTest, OtherForms) {
  EXPECT_EQ(DifferenceOfTypes("R.Shape([\"n\", 4])", "R.Shape((n, 4))"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Shape", "R.Shape(ndim=-1)"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Object", "R.Any()"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Tuple(R.Tensor, R.Shape)", "R.Tuple([R.Tensor(), R.Shape()])"),
            "");
  EXPECT_EQ(DifferenceOfTypes("R.Tuple", "R.Tuple()"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Prim(\"int64\")", "T.int64"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Prim(\"bool\")", "T.bool()"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Prim(value=\"n\")", "R.Prim(\"int64\", value=n)"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Callable", "R.PackedFunc"), "");
  EXPECT_EQ(DifferenceOfTypes("R.Callable((R.Tensor,), R.Tensor)",
                              "R.Callable([R.Tensor], R.Tensor, True)"),
            "");
  EXPECT_EQ(DifferenceOfTypes("R.Callable(R.Tensor, ret=R.Tensor, purity=False)",
                              "R.Callable((R.Tensor,), R.Tensor, False)"),
            "");
  EXPECT_EQ(DifferenceOfTypes("R.Callable(derive_func=\"default_derive\")", "R.Callable()"), "");
  EXPECT_NE(DifferenceOfTypes("R.Callable(derive_func=\"empty_derive\")", "R.Callable()"), "");
  EXPECT_EQ(DifferenceOfTypes(
                "R.DTensor((4,), \"float32\", \"mesh[0]\", \"R\")",
                "R.dist.DTensor((4,), \"float32\", device_mesh=\"mesh[0]\", placement=\"R\")"),
            "");
}

TEST(ElaborateStructInfoTest, ShapeVariablesOfASignature) {
  // However it is spelled, and in whatever order, one name is one variable.
  const std::string plain = Signature("x: R.Tensor((\"n * 2\",)), y: R.Tensor((\"n\", \"m\"))");
  EXPECT_EQ(DifferenceOf(plain, Signature("x: R.Tensor((n * 2,)), y: R.Tensor((n, m))")), "");
  EXPECT_EQ(DifferenceOf(plain,
                         "@R.function(private=True)\ndef main[n, m](x: R.Tensor((n * 2,)), "
                         "y: R.Tensor((n, m))):\n    return x\n"),
            "");
  EXPECT_EQ(DifferenceOf(plain, "from typing import TypeVar\nn = TypeVar(\"n\")\n" + plain), "");
  EXPECT_EQ(DifferenceOf(plain, Signature("x: R.Tensor((\"n * 2\",)), y: R.Tensor((\"n\", \"m\"))",
                                          "n, m = T.int64(), T.int64()\n    return x")),
            "");
}

TEST(ElaborateStructInfoTest, ScalarParametersAreDimensions) {
  const std::string valued =
      Signature("x: R.Tensor((\"n\",)), n: R.Prim(value=\"n\")", "return R.zeros((n,), \"int8\")");
  EXPECT_EQ(DifferenceOf(valued, Signature("x: R.Tensor((\"n\",)), n: R.Prim(\"int64\")",
                                           "return R.zeros((n,), \"int8\")")),
            "");
  EXPECT_EQ(ProblemsOf(Signature("n: R.Prim(\"int64\")",
                                 "j = n\n    k = j + 1\n    return R.zeros((k, j, n), \"int8\")")),
            "");
}

TEST(ElaborateStructInfoTest, ShapesByVariable) {
  EXPECT_EQ(ProblemsOf(Signature("s: R.Shape(ndim=2), x: R.Tensor(s, \"float32\")")), "");
  EXPECT_EQ(ProblemsOf(Signature("s: R.Tensor, x: R.Tensor(s, \"float32\")")),
            "2:35: tensor-shape-annotation: the shape of a tensor must be a tuple of dimensions or "
            "a variable that holds a shape, got a name\n");
  EXPECT_EQ(ProblemsOf(Signature("x: R.Tensor(4)")),
            "2:22: tensor-shape-annotation: the shape of a tensor must be a tuple of dimensions or "
            "a variable that holds a shape, got an integer\n");
  EXPECT_EQ(ProblemsOf(Signature("x: R.Tensor((-4,))")),
            "2:23: tensor-shape-annotation: a dimension must not be negative, got -4\n");
}

TEST(ElaborateStructInfoTest, InABodyNamesMustBeThere) {
  EXPECT_EQ(
      ProblemsOf(Signature("x: R.Tensor((\"n\",))",
                           "y: R.Tensor((n, k)) = x\n    z: R.Tensor((k,)) = x\n    return x")),
      "3:21: shape-var-before-binding: the shape variable 'k' is not bound here; did you mean "
      "'n'?\n");
  EXPECT_EQ(ProblemsOf(Signature("x: R.Tensor",
                                 "y = R.match_cast(x, R.Tensor((k, 4)))\n    return R.zeros((k,), "
                                 "\"int8\")")),
            "");
  EXPECT_EQ(ProblemsOf(Signature("x: R.Tensor", "y: R.Tensor((x,)) = x\n    return x")),
            "3:18: wrong-kind-of-value: 'x' is a Relax variable, not a shape variable\n  2:10: "
            "bound here\n");
}

TEST(ElaborateStructInfoTest, Devices) {
  const auto module = [](const std::string& device) {
    return absl::StrCat(
        "@I.ir_module\nclass M:\n    I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\"), "
        "I.vdevice({\"kind\": \"cuda\", \"arch\": \"sm_80\"}, 0), I.vdevice(\"cuda\", 1)]})\n"
        "    @R.function\n    def main(x: R.Tensor((4,), \"float32\", ",
        device, ")):\n        return x\n");
  };
  EXPECT_EQ(DifferenceOf(module("\"cuda:1\""), module("vdevice=\"vdevice:2\"")), "");
  EXPECT_EQ(DifferenceOf(module("\"cuda\""), module("\"cuda:0:global\"")), "");
  EXPECT_NE(DifferenceOf(module("\"cuda:0\""), module("\"cuda:1\"")), "");
  EXPECT_EQ(ProblemsOf(module("\"metal\"")),
            "5:43: vdevice-not-declared: the module declares no device 'metal'; it has "
            "'llvm:0:global', '{\"arch\": \"sm_80\", \"kind\": \"cuda\"}:0:global', "
            "'cuda:1:global'\n");
}

TEST(ElaborateStructInfoTest, InvalidStructInfos) {
  EXPECT_EQ(Shown("R.Tensr"),
            "2:13: not-a-struct-info: R.Tensr is not a StructInfo; did you mean 'Tensor'?\n");
  EXPECT_EQ(Shown("3"),
            "2:13: not-a-struct-info: expected a StructInfo such as R.Tensor((4,), "
            "\"float32\"), got an integer\n");
  EXPECT_EQ(Shown("R.Tensor((4,), \"flot\")"), "2:28: unknown-dtype: 'flot' is not a dtype\n");
  EXPECT_EQ(Shown("R.Tensor((4,), dim=2)"),
            "2:28: wrong-arguments: R.Tensor has no parameter 'dim'\n");
}

}  // namespace
}  // namespace lathe::relax_text
