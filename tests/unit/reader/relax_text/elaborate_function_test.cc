#include "generator/reader/relax_text/relax/elaborate_function.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/ir/op.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::DifferenceOf;
using testing::ProblemsOf;
using testing::ReadText;

// A function of two tensors, a condition and a tuple, with `body`.
std::string Function(const std::string& body) {
  return absl::StrCat(
      "@R.function(private=True)\n"
      "def main(x: R.Tensor((4,), \"float32\"), y: R.Tensor((4,), \"float32\"),\n"
      "         c: R.Tensor((), \"bool\"), t: R.Tuple(R.Tensor, R.Tensor)):\n    ",
      absl::StrReplaceAll(body, {{"\n", "\n    "}}), "\n");
}
std::string DifferenceOfBodies(const std::string& a, const std::string& b) {
  return DifferenceOf(Function(a), Function(b));
}
// Lines are counted from the first of `body`.
std::string ProblemsOfBody(const std::string& body) {
  return ProblemsOf(absl::StrReplaceAll(Function(body), {{"\n         c", " c"}}));
}

TEST(ElaborateFunctionTest, NestedExpressionsAreBoundInnermostFirst) {
  EXPECT_EQ(DifferenceOfBodies(
                "return R.add(R.multiply(x, R.exp(y)), R.exp(x))",
                "a = R.exp(y)\nb = R.multiply(x, a)\nc1 = R.exp(x)\nd = R.add(b, c1)\nreturn d"),
            "");
  EXPECT_EQ(DifferenceOfBodies("z = (R.exp(x), (R.exp(y), x))\nreturn z",
                               "a = R.exp(x)\nb = R.exp(y)\nz = (a, (b, x))\nreturn z"),
            "");
  EXPECT_NE(DifferenceOfBodies("return R.add(R.exp(x), R.exp(y))",
                               "b = R.exp(y)\na = R.exp(x)\nd = R.add(a, b)\nreturn d"),
            "");
}

TEST(ElaborateFunctionTest, FreshVariablesOfADataflowBlockStayInIt) {
  const auto program = ReadText(
      Function("with R.dataflow():\n    z = R.add(R.exp(x), y)\n    R.output(z)\nreturn z"));
  ASSERT_TRUE(program.module) << program.problems;
  const auto& values = program.module->values;
  const ir::Body& body = program.module->globals[ir::GlobalId{0}].function()->body;
  ASSERT_EQ(body.blocks.size(), 1u);
  EXPECT_TRUE(body.blocks[0].dataflow);
  ASSERT_EQ(body.blocks[0].bindings.size(), 2u);
  EXPECT_EQ(values[body.blocks[0].bindings[0].var].name, "lv");
  EXPECT_TRUE(values[body.blocks[0].bindings[0].var].dataflow);
  EXPECT_FALSE(values[body.blocks[0].bindings[1].var].dataflow);
}

TEST(ElaborateFunctionTest, FreshNamesAvoidNamesInScope) {
  const auto program = ReadText(Function("gv = R.exp(x)\nreturn R.add(gv, R.exp(y))"));
  ASSERT_TRUE(program.module) << program.problems;
  const auto& bindings =
      program.module->globals[ir::GlobalId{0}].function()->body.blocks[0].bindings;
  ASSERT_EQ(bindings.size(), 3u);
  EXPECT_EQ(program.module->values[bindings[1].var].name, "gv1");
  EXPECT_EQ(program.module->values[bindings[2].var].name, "gv2");
}

TEST(ElaborateFunctionTest, BlocksAreConsolidated) {
  const auto program =
      ReadText(Function("with R.dataflow():\n    a = R.exp(x)\n    R.output(a)\n"
                        "with R.dataflow():\n    b = R.exp(a)\n    R.output(b)\n"
                        "with R.dataflow():\n    R.output()\n"
                        "d = R.exp(b)\nwith R.dataflow():\n    pass\ne = R.exp(d)\nreturn e"));
  ASSERT_TRUE(program.module) << program.problems;
  const ir::Body& body = program.module->globals[ir::GlobalId{0}].function()->body;
  ASSERT_EQ(body.blocks.size(), 2u);
  EXPECT_EQ(body.blocks[0].bindings.size(), 2u);
  EXPECT_EQ(body.blocks[1].bindings.size(), 2u);
}

TEST(ElaborateFunctionTest, ScopesOfDataflowBlocks) {
  EXPECT_EQ(
      ProblemsOfBody("with R.dataflow():\n    a = R.exp(x)\n    b = R.exp(a)\n    R.output(b)\n"
                     "d = R.add(a, b)\ne = R.add(a, d)\nreturn e"),
      "7:15: dataflow-var-scope: 'a' is used outside its dataflow block\n  4:9: bound here, in a "
      "dataflow block that does not list it in R.output\n");
  EXPECT_EQ(
      ProblemsOfBody("a = R.exp(x)\nwith R.dataflow():\n    b = R.exp(a)\n    R.output(a, b)\n"
                     "return b"),
      "6:18: dataflow-output: 'a' is not a variable of this dataflow block\n"
      "  3:5: bound here\n");
  EXPECT_EQ(
      DifferenceOfBodies(
          "with R.dataflow():\n    a = R.exp(x)\n    return R.exp(a)",
          "with R.dataflow():\n    a = R.exp(x)\n    b = R.exp(a)\n    R.output(b)\nreturn b"),
      "");
}

TEST(ElaborateFunctionTest, ShadowingMakesANewVariable) {
  EXPECT_EQ(DifferenceOfBodies("x = R.exp(x)\nx = R.add(x, x)\nreturn x",
                               "a = R.exp(x)\nb = R.add(a, a)\nreturn b"),
            "");
  EXPECT_EQ(
      DifferenceOfBodies(
          "if c:\n    x = R.exp(x)\n    z = R.exp(x)\nelse:\n    z = R.exp(x)\nreturn (x, z)",
          "if c:\n    a = R.exp(x)\n    z = R.exp(a)\nelse:\n    z = R.exp(x)\nreturn (x, z)"),
      "");
}

TEST(ElaborateFunctionTest, BranchesOfAnIf) {
  EXPECT_EQ(ProblemsOfBody("if c:\n    a = R.exp(x)\nelse:\n    b = R.exp(x)\nreturn a"),
            "3:8: if-branches: the branches of an 'if' must end by binding the same name, but the "
            "first binds 'a', the second 'b'\n");
  EXPECT_EQ(ProblemsOfBody("if c:\n    a = R.exp(x)\nreturn a"),
            "3:8: if-branches: an 'if' needs an 'else', so that both branches have a result\n");
  EXPECT_EQ(ProblemsOfBody("if c:\n    w = R.exp(x)\n    a = R.exp(w)\nelse:\n    a = x\nreturn w"),
            "8:12: var-not-bound-once: 'w' is not bound here\n  4:9: bound here, in a branch of an "
            "'if', where its scope ends\n");
  EXPECT_EQ(ProblemsOfBody("if c:\n    R.print(x)\nelse:\n    R.print(y)\nreturn x"), "");
  EXPECT_EQ(
      DifferenceOfBodies(
          "if c:\n    a = R.exp(x)\nelif c:\n    a = y\nelse:\n    a = x\nreturn a",
          "if c:\n    a = R.exp(x)\nelse:\n    if c:\n        a = y\n    else:\n        a = x\n"
          "return a"),
      "");
}

TEST(ElaborateFunctionTest, TuplesAndChains) {
  EXPECT_EQ(DifferenceOfBodies("a, b = t\nreturn R.add(a, b)",
                               "a = t[0]\nb = t[1]\nd = R.add(a, b)\nreturn d"),
            "");
  EXPECT_EQ(DifferenceOfBodies("a, b = y, x\nreturn (a, b)", "a = y\nb = x\nreturn (a, b)"), "");
  EXPECT_EQ(DifferenceOfBodies("x, y = y, x\nreturn (x, y)", "a = y\nb = x\nreturn (a, b)"), "");
  EXPECT_EQ(ProblemsOfBody("a = b = R.exp(x)\nreturn a"),
            "3:9: host-python: chained assignment is not supported; write one assignment for each "
            "target\n");
  EXPECT_EQ(DifferenceOfBodies("return x, y", "return R.tuple(x, y)"), "");
  EXPECT_EQ(DifferenceOfBodies("return t[1]", "a = R.TupleGetItem(t, 1)\nreturn a"), "");
  EXPECT_EQ(ProblemsOfBody("a, b = x, y, x\nreturn a"),
            "3:12: tuple-size-mismatch: 2 names on the left, 3 values on the right\n");
}

TEST(ElaborateFunctionTest, OperatorsAreCalls) {
  EXPECT_EQ(DifferenceOfBodies("return (x + y) * x - x / y",
                               "return R.subtract(R.multiply(R.add(x, y), x), R.divide(x, y))"),
            "");
  EXPECT_EQ(DifferenceOfBodies("return -(x ** y) // x % y",
                               "return R.mod(R.floor_divide(R.negative(R.power(x, y)), x), y)"),
            "");
  EXPECT_EQ(DifferenceOfBodies("return (x < y, x >= y, x @ y)",
                               "return (R.less(x, y), R.greater_equal(x, y), R.matmul(x, y))"),
            "");
  EXPECT_EQ(DifferenceOfBodies("return x.astype(\"float16\")", "return R.astype(x, \"float16\")"),
            "");
  EXPECT_EQ(DifferenceOfBodies("return (x.shape, x.ndim)",
                               "return (R.shape_of(x), R.inspect.tensor_ndim(x))"),
            "");
  EXPECT_EQ(DifferenceOfBodies("x += y\nreturn x", "z = R.add(x, y)\nreturn z"), "");
  EXPECT_EQ(ProblemsOfBody("return x + 1"),
            "3:16: number-without-dtype: a number literal as an operand needs a dtype\n");
}

TEST(ElaborateFunctionTest, NestedFunctions) {
  const std::string inner =
      "@R.function\ndef f(a: R.Tensor) -> R.Tensor:\n    return R.call_pure_packed(\"p\", f(a))\n";
  EXPECT_EQ(ProblemsOfBody(inner + "return f(x)"), "");
  EXPECT_EQ(ProblemsOfBody("def f(a: R.Tensor):\n    return a\nreturn f(x)"),
            "3:9: host-python: a nested function needs the decorator @R.function\n");
  EXPECT_EQ(ProblemsOfBody("with R.dataflow():\n    z = R.exp(x)\n    @R.function\n"
                           "    def f(a: R.Tensor):\n        return R.add(a, z)\n    w = f(y)\n"
                           "    R.output(w)\nreturn w"),
            "7:29: dataflow-var-captured: this function captures the dataflow variable 'z' of the "
            "enclosing block\n  4:9: bound here, in a dataflow block that does not list it in "
            "R.output\n");
  EXPECT_EQ(ProblemsOfBody("with R.dataflow():\n    z = R.exp(x)\n    @R.function\n"
                           "    def f(a: R.Tensor) -> R.Tensor:\n        return R.add(f(a), z)\n"
                           "    w = f(y)\n    R.output(w, z)\nreturn w"),
            "");
}

TEST(ElaborateFunctionTest, UnboundNames) {
  EXPECT_EQ(ProblemsOfBody("a = R.exp(later)\nlater = R.exp(x)\nreturn missing"),
            "3:15: var-before-binding: 'later' is used before it is bound\n  4:5: bound here\n"
            "5:12: var-not-bound-once: 'missing' is not bound anywhere\n");
  EXPECT_EQ(ProblemsOfBody("f = R.exp\nreturn f(x)"),
            "3:9: op-not-called: the operator R.exp is not a value; it can only be called\n");
}

TEST(ElaborateFunctionTest, OneErrorIsReportedOnce) {
  EXPECT_EQ(
      ProblemsOfBody("a = R.exq(x)\nb = R.add(a, a)\nd, e = a\nif a:\n    g = b\nelse:\n    g = d\n"
                     "return (a, b, e, g)"),
      "3:9: unknown-operator: unknown operator R.exq; did you mean 'exp'?\n");
}

TEST(ElaborateFunctionTest, StatementsInTheirPlace) {
  EXPECT_EQ(ProblemsOfBody("return x\nreturn y"),
            "3:5: misplaced-statement: a function has one return, and it is the last of its "
            "statements\n");
  EXPECT_EQ(ProblemsOfBody("z = R.exp(x)"),
            "2:5: missing-return: 'main' must end with a return statement\n");
  EXPECT_EQ(ProblemsOfBody("R.output(x)\nreturn x"),
            "3:5: misplaced-statement: R.output must be the last statement of a dataflow block\n");
  EXPECT_EQ(
      ProblemsOfBody("R.add(x, y)\nreturn x"),
      "3:5: statement-without-effect: a call has no effect here; bind its result to a variable\n");
  EXPECT_EQ(ProblemsOfBody("for i in range(3):\n    x = R.exp(x)\nreturn x"),
            "3:5: host-python: a for loop is not supported: programs are parsed, not run\n");
}

TEST(ElaborateFunctionTest, AttributesAndSymbols) {
  const auto program =
      ReadText("@R.function\ndef f(x: R.Tensor):\n    R.func_attr({\"a\": 1})\n    return x\n");
  ASSERT_TRUE(program.module) << program.problems;
  const ir::AttrMap& attrs = program.module->globals[ir::GlobalId{0}].function()->attrs;
  EXPECT_EQ(*ir::FindAttr<int64_t>(attrs, "a"), 1);
  EXPECT_EQ(*ir::FindAttr<std::string>(attrs, ir::kGlobalSymbol), "f");
  EXPECT_TRUE(program.module->globals[ir::GlobalId{0}].function()->pure);
}

}  // namespace
}  // namespace lathe::relax_text
