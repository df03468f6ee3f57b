// Tests each derivation rule: derived infos and errors.
#include "generator/analysis/derive/derive_struct_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/derive_text.h"

namespace lathe {
namespace {

using testing::DerivedProgram;
using testing::DeriveMain;
using testing::DeriveText;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The info of the variable y.
std::string InfoOf(const std::string& signature, const std::string& body) {
  DerivedProgram program = DeriveMain(signature, body);
  EXPECT_EQ(program.problems, "");
  return program.infos["y"];
}

std::string Problems(const std::string& signature, const std::string& body) {
  return DeriveMain(signature, body).problems;
}

TEST(Derive, Rule1FunctionsMayBeInAnyOrder) {
  DerivedProgram program = DeriveText(R"(@R.function
def main(x: R.Tensor((4,), "float32")):
    y = Module.f(x)
    return y

@R.function
def f(x: R.Tensor(("n",), "float32")):
    z = Module.g(x)
    return z

@R.function
def g(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
    w = R.add(x, x)
    return w
)");
  EXPECT_EQ(program.problems, "");
  EXPECT_EQ(program.infos["y"], "R.Tensor((4,), dtype=\"float32\")");
  EXPECT_EQ(program.infos["@f"],
            "R.Callable((R.Tensor((n,), dtype=\"float32\"),), R.Tensor((n,), dtype=\"float32\"), "
            "True)");
}

TEST(Derive, Rule1MutualRecursion) {
  DerivedProgram program = DeriveText(R"(@R.function
def f(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
    if c:
        y = Module.g(c, x)
    else:
        y = x
    return y

@R.function
def g(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
    z = Module.f(c, x)
    return z
)");
  EXPECT_EQ(program.problems, "");
  EXPECT_EQ(program.infos["y"], "R.Tensor((n,), dtype=\"float32\")");
}

TEST(Derive, Rules2To8Leaves) {
  EXPECT_EQ(InfoOf("(x: R.Tensor((4,), \"float32\"))", "y = x\nreturn y"),
            "R.Tensor((4,), dtype=\"float32\")");
  EXPECT_EQ(InfoOf("()", "y = R.const([1, 2], \"int32\")\nreturn y"),
            "R.Tensor((2,), dtype=\"int32\")");
  EXPECT_EQ(InfoOf("()", "y = R.const(1, \"int32\")\nreturn y"), "R.Tensor((), dtype=\"int32\")");
  EXPECT_EQ(InfoOf("()", "y = R.prim_value(3)\nreturn y"), "R.Prim(value=3)");
  EXPECT_EQ(InfoOf("()", "y = R.str(\"a\")\nreturn y"), "R.Object");
  EXPECT_EQ(InfoOf("()", "y = R.dtype(\"int8\")\nreturn y"), "R.Object");
  EXPECT_EQ(InfoOf("(x: R.Shape(ndim=2))", "y = (x, (R.str(\"a\"),))\nreturn y"),
            "R.Tuple(R.Shape(ndim=2), R.Tuple(R.Object))");
  EXPECT_EQ(InfoOf("(x: R.Tensor((\"n\",), \"int8\"))",
                   "n = T.int64()\ny = R.shape([n, n * 2])\nreturn y"),
            "R.Shape([n, n * 2])");
}

constexpr char kBranch[] = "if c:\n    y = a\nelse:\n    y = b\nreturn y";

TEST(Derive, Rule9IfJoinsItsBranches) {
  EXPECT_EQ(InfoOf("(c: R.Tensor((), \"bool\"), a: R.Tensor((4,), \"int8\"), b: R.Tensor((5,), "
                   "\"int8\"))",
                   kBranch),
            "R.Tensor(dtype=\"int8\", ndim=1)");
  EXPECT_EQ(
      InfoOf("(c: R.Prim(\"bool\"), a: R.Tensor((4,), \"int8\"), b: R.Shape(ndim=1))", kBranch),
      "R.Object");
}

TEST(Derive, Rule9TheConditionIsABool) {
  for (const char* c :
       {"R.Tensor((1,), \"bool\")", "R.Tensor((), \"int8\")", "R.Shape(ndim=0)",
        "R.Prim(\"int64\")", "R.Object", "R.Tensor(\"bool\")", "R.Tensor(ndim=0)"}) {
    const std::string signature = std::string("(c: ") + c + ", a: R.Object, b: R.Object)";
    EXPECT_THAT(Problems(signature, kBranch), StartsWith("condition-not-bool")) << c;
  }
}

TEST(Derive, Rule10InfosLeaveAScopeWithoutItsVariables) {
  EXPECT_EQ(InfoOf("(c: R.Tensor((), \"bool\"), a: R.Tensor(ndim=1, dtype=\"int8\"))",
                   R"(n = T.int64()
if c:
    z = R.match_cast(a, R.Tensor((n,), "int8"))
    y = (z, z)
else:
    y = (a, a)
return y)"),
            "R.Tuple(R.Tensor(dtype=\"int8\", ndim=1), R.Tensor(dtype=\"int8\", ndim=1))");
  DerivedProgram program =
      DeriveMain("(a: R.Tensor(ndim=1, dtype=\"int8\"))",
                 "n = T.int64()\nz = R.match_cast(a, R.Tensor((n,), \"int8\"))\n"
                 "return z");
  EXPECT_EQ(program.infos["z"], "R.Tensor((n,), dtype=\"int8\")");
  EXPECT_THAT(program.infos["@main"], HasSubstr(", R.Tensor(dtype=\"int8\", ndim=1), True)"));
}

TEST(Derive, Rule11AnAnnotationIsRespected) {
  EXPECT_EQ(InfoOf("(x: R.Tensor((4,), \"int8\"))", "y: R.Tensor(ndim=1) = x\nreturn y"),
            "R.Tensor(ndim=1)");
  EXPECT_EQ(InfoOf("(x: R.Tensor((4,), \"int8\"))", "y: R.Object = x\nreturn y"), "R.Object");
}

TEST(Derive, Rule11WarnsOfMoreSpecificAnnotations) {
  for (const char* x :
       {"R.Tensor(ndim=1, dtype=\"int8\")", "R.Tensor(\"int8\")", "R.Tensor(ndim=1)", "R.Object"}) {
    const std::string signature = std::string("(x: ") + x + ")";
    EXPECT_THAT(Problems(signature, "y: R.Tensor((4,), \"int8\") = x\nreturn y"),
                StartsWith("annotation-more-specific"))
        << x;
  }
}

TEST(Derive, Rule11AnnotationThatMayNotMatch) {
  EXPECT_EQ(
      Problems("(x: R.Tensor((\"n\",), \"int8\"), z: R.Tensor((\"m\",), \"int8\"))",
               "m = T.int64()\ny: R.Tensor((m,), \"int8\") = x\nreturn y"),
      "possibly-incompatible: 'y' is annotated R.Tensor((m,), dtype=\"int8\"), but its value is "
      "R.Tensor((n,), dtype=\"int8\"): dimension 0 is n, which may differ from m\n");
}

TEST(Derive, Rule11AnnotationThatCannotMatch) {
  for (const char* x : {"R.Tensor((5,), \"int8\")", "R.Tensor((4, 4), \"int8\")",
                        "R.Tensor((4,), \"int16\")", "R.Shape(ndim=1)", "R.Tuple()"}) {
    const std::string signature = std::string("(x: ") + x + ")";
    EXPECT_THAT(Problems(signature, "y: R.Tensor((4,), \"int8\") = x\nreturn y"),
                StartsWith("struct-info-mismatch"))
        << x;
  }
}

TEST(Derive, Rule11MatchCast) {
  EXPECT_EQ(InfoOf("(x: R.Object)",
                   "n = T.int64()\ny = R.match_cast(x, R.Tensor((n,), \"int8\"))\n"
                   "return y"),
            "R.Tensor((n,), dtype=\"int8\")");
  EXPECT_EQ(InfoOf("(x: R.Object)",
                   "y: R.Tensor(ndim=1) = R.match_cast(x, R.Tensor((4,), \"int8\"))\n"
                   "return y"),
            "R.Tensor(ndim=1)");
  EXPECT_EQ(Problems("(x: R.Tensor((3, 4)))",
                     "n = T.int64()\ny = R.match_cast(x, R.Tensor((n, n)))\nreturn y"),
            "cast-always-fails: 'x' is R.Tensor((3, 4)), so casting it to R.Tensor((n, n)) always "
            "fails: dimension 1 is 4, not 3\n");
  EXPECT_THAT(
      Problems("(x: R.Object)", "y: R.Tensor((4,)) = R.match_cast(x, R.Tensor(ndim=1))\nreturn y"),
      StartsWith("struct-info-mismatch"));
}

TEST(Derive, Rule12Fields) {
  EXPECT_EQ(InfoOf("(x: R.Tuple(R.Object, R.Shape(ndim=1)))", "y = x[1]\nreturn y"),
            "R.Shape(ndim=1)");
  EXPECT_THAT(
      Problems("(x: R.Tuple(R.Object))", "y = x[1]\nreturn y"),
      StartsWith("tuple-index-out-of-range: 'x' has no field 1: it has 1 field, counted from 0\n"));
  EXPECT_THAT(Problems("(x: R.Object)", "y = x[1]\nreturn y"), StartsWith("not-a-tuple"));
}

TEST(Derive, Rule13ExternFunctions) {
  EXPECT_EQ(InfoOf("()", "y = R.ExternFunc(\"f\")\nreturn y"), "R.Callable");
}

TEST(Derive, Rule14PackedFunctionsDeclareTheirResults) {
  const auto of = [](const std::string& infos) {
    return InfoOf("(x: R.Object)", "y = R.call_pure_packed(\"f\", x" + infos + ")\nreturn y");
  };
  EXPECT_EQ(of(", sinfo_args=R.Shape(ndim=1)"), "R.Shape(ndim=1)");
  EXPECT_EQ(of(", sinfo_args=[R.Object, R.Shape(ndim=1)]"), "R.Tuple(R.Object, R.Shape(ndim=1))");
}

constexpr char kCallee[] = R"(@R.function
def f(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("m",), "float32")) -> R.Tensor(("n * m", "n"), "float32"):
    z = R.call_pure_packed("k", x, y, sinfo_args=R.Tensor((n * m, n), "float32"))
    return z

@R.function
def main)";

// What main, which calls f, makes of it.
DerivedProgram Calling(const std::string& signature, const std::string& call) {
  return DeriveText(absl::StrCat(kCallee, signature, ":\n    r = ", call, "\n    return r\n"));
}

TEST(Derive, Rule14ArgumentsBindTheCalleesVariables) {
  const auto result = [](const std::string& x, const std::string& y) {
    DerivedProgram program =
        Calling("(a: " + x + ", b: " + y + ", k: R.Shape([\"k\"]))", "Module.f(a, b)");
    EXPECT_EQ(program.problems, "") << x << ", " << y;
    return program.infos["r"];
  };
  EXPECT_EQ(result("R.Tensor((2, 3), \"float32\")", "R.Tensor((3,), \"float32\")"),
            "R.Tensor((6, 2), dtype=\"float32\")");
  EXPECT_EQ(result("R.Tensor((\"k\", 3), \"float32\")", "R.Tensor((3,), \"float32\")"),
            "R.Tensor((k * 3, k), dtype=\"float32\")");
  EXPECT_EQ(result("R.Tensor((\"k\", \"k\"), \"float32\")", "R.Tensor((\"k\",), \"float32\")"),
            "R.Tensor((k * k, k), dtype=\"float32\")");
}

TEST(Derive, Rule14ArgumentsAreSubtypes) {
  const auto problem = [](const std::string& x, const std::string& y) {
    return Calling("(a: " + x + ", b: " + y + ")", "Module.f(a, b)").problems;
  };
  const std::string b = "R.Tensor((3,), \"float32\")";
  EXPECT_THAT(problem("R.Tensor((2, 4), \"float32\")", b), StartsWith("argument-mismatch"));
  EXPECT_THAT(problem("R.Tensor((2, 3), \"int8\")", b), StartsWith("argument-mismatch"));
  EXPECT_THAT(problem("R.Tensor(ndim=2, dtype=\"float32\")", b), StartsWith("argument-mismatch"));
  EXPECT_THAT(problem("R.Object", b), StartsWith("argument-mismatch"));
  EXPECT_THAT(problem("R.Tensor((2, \"k\"), \"float32\")", b), StartsWith("possibly-incompatible"));
}

TEST(Derive, Rule14ChecksTheNumberOfParameters) {
  EXPECT_THAT(Calling("(a: R.Object)", "Module.f(a)").problems,
              StartsWith("wrong-argument-count: 'f' takes 2 arguments, but is called with 1\n"));
  EXPECT_THAT(Problems("(x: R.Object)", "y = x(x)\nreturn y"), StartsWith("not-a-function"));
}

TEST(Derive, Rule14ClosuresKeepCapturedVariables) {
  EXPECT_EQ(InfoOf("(x: R.Tensor((\"n\",), \"int8\"))", R"(n = T.int64()
@R.function
def f(a: R.Tensor(("m",), "int8")) -> R.Tensor((n, "m"), "int8"):
    b = R.call_pure_packed("k", a, sinfo_args=R.Tensor((n, m), "int8"))
    return b
z = R.const([1, 2], "int8")
y = f(z)
return y)"),
            "R.Tensor((n, 2), dtype=\"int8\")");
}

TEST(Derive, Rule14RecursionWithItsOwnVariables) {
  EXPECT_EQ(InfoOf("(x: R.Tensor((\"n\",), \"int8\")) -> R.Tensor((\"n\",), \"int8\")",
                   "z = R.concat((x, x))\ny = Module.main(z)\nreturn x"),
            "R.Tensor((n * 2,), dtype=\"int8\")");
}

TEST(Derive, Rule14Purity) {
  EXPECT_THAT(Problems("(x: R.Object)", "y = R.call_packed(\"f\", x)\nreturn y"),
              StartsWith("impure-call: call of impure 'f' in 'main', which is pure\n"));
  EXPECT_THAT(Problems("(x: R.Object)", "y = R.print(x, format=\"\")\nreturn x"),
              StartsWith("impure-call"));
  EXPECT_THAT(
      Problems("(f: R.Callable((R.Object,), R.Object, False), x: R.Object)", "y = f(x)\nreturn y"),
      StartsWith("impure-call"));
  EXPECT_EQ(Problems("(f: R.Callable((R.Object,), R.Object), x: R.Object)", "y = f(x)\nreturn y"),
            "");
  EXPECT_EQ(Problems("(x: R.Object)",
                     "R.func_attr({\"relax.force_pure\": True})\n"
                     "y = R.call_packed(\"f\", x)\nreturn y"),
            "");
  EXPECT_EQ(DeriveText("@R.function(pure=False)\ndef main(x: R.Object):\n"
                       "    y = R.call_packed(\"f\", x)\n    return y")
                .problems,
            "");
}

TEST(Derive, Rule14PurityOfDataflowBlocks) {
  const char* body =
      "with R.dataflow():\n    y = R.call_packed(\"f\", x)\n    R.output(y)\nreturn y";
  EXPECT_THAT(DeriveText("@R.function(pure=False)\ndef main(x: R.Object):\n    "
                         "with R.dataflow():\n        y = R.call_packed(\"f\", x)\n        "
                         "R.output(y)\n    return y")
                  .problems,
              StartsWith("impure-call: call of impure 'f' inside a dataflow block\n"));
  EXPECT_THAT(
      Problems("(x: R.Object)", std::string("R.func_attr({\"relax.force_pure\": True})\n") + body),
      StartsWith("impure-call"));
}

TEST(Derive, Rule15ResultHasTheAnnotatedType) {
  DerivedProgram program =
      DeriveMain("(x: R.Tensor((4,), \"int8\")) -> R.Tensor(ndim=1)", "return x");
  EXPECT_EQ(program.problems, "");
  EXPECT_EQ(program.infos["@main"],
            "R.Callable((R.Tensor((4,), dtype=\"int8\"),), R.Tensor(ndim=1), True)");
  EXPECT_THAT(Problems("(x: R.Tensor((4,), \"int8\")) -> R.Tensor((5,), \"int8\")", "return x"),
              StartsWith("return-mismatch"));
  EXPECT_THAT(Problems("(x: R.Object) -> R.Tensor((5,), \"int8\")", "return x"),
              StartsWith("return-mismatch"));
  EXPECT_THAT(Problems("(x: R.Tensor(ndim=1)) -> R.Tensor((5,))", "return x"),
              StartsWith("possibly-incompatible"));
}

TEST(Derive, Rule15AParameterWithoutAnnotationIsAnObject) {
  EXPECT_EQ(DeriveMain("(x)", "return x").infos["x"], "R.Object");
}

TEST(Derive, AnErrorIsReportedOnce) {
  EXPECT_EQ(Problems("(x: R.Object)", R"(a = x[0]
b = a[1]
c = (b, b)
d = R.add(b, c[0])
e: R.Tensor((4,), "int8") = d
return d)"),
            "not-a-tuple: 'x' is R.Object, not a tuple\n");
}

// t1 = (t0, t0), t2 = (t1, t1), ...: 2^100 leaves, and deeper than is allowed.
TEST(Derive, SharedTuplesAreFast) {
  std::string body = "t0 = (x, x)\n";
  for (int i = 1; i <= 100; ++i) {
    const std::string before = "t" + std::to_string(i - 1);
    body += "t" + std::to_string(i) + " = (" + before + ", " + before + ")\n";
  }
  DerivedProgram program = DeriveMain("(x: R.Tensor((4,), \"int8\"))", body + "return t100");
  EXPECT_EQ(program.problems, "");
  // Nor do they fill the message that shows them.
  const std::string shown =
      Problems("(x: R.Tensor((4,), \"int8\"))", body + "y: R.Shape = t100\nreturn y");
  EXPECT_THAT(shown, StartsWith("struct-info-mismatch"));
  EXPECT_LT(shown.size(), 20000u);
  std::string deep = "t0 = (x, x)\n";
  for (int i = 1; i <= 600; ++i) {
    const std::string before = "t" + std::to_string(i - 1);
    deep += "t" + std::to_string(i) + " = (" + before + ", " + before + ")\n";
  }
  EXPECT_EQ(Problems("(x: R.Tensor((4,), \"int8\"))", deep + "return x"),
            "limit-nesting: the structural information of this value nests more than 500 levels "
            "deep\n");
}

}  // namespace
}  // namespace lathe
