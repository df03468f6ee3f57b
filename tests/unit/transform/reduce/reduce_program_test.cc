#include "generator/transform/reduce/reduce_program.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/transform/reduce/extract_bindings.h"
#include "generator/transform/reduce/reduce_constants.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::transform {
namespace {

constexpr char kChain[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 8), "float32"), u: R.Tensor((2, 8), "float32")):
        R.func_attr({"scales": [None, None, None]})
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, u)
            c = R.sin(b)
            d = R.multiply(c, a)
            R.output(d)
        return d
)";

std::string Functions(const std::string& body) {
  return absl::StrCat(
      "from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass Module:\n", body);
}

testing::ReadProgram Derived(const std::string& text) {
  testing::ReadProgram program = testing::ReadText(text);
  EXPECT_EQ(program.problems, "");
  Diagnostics diags;
  analysis::DeriveStructInfo(*program.context, *program.module, diags);
  return program;
}

TEST(ExtractBindingsTest, CutsInputsAndOutputs) {
  testing::ReadProgram program = Derived(kChain);
  const ir::GlobalId main = *program.module->Find("main");
  ASSERT_TRUE(ExtractBindings(*program.module, main, {1, 2}));
  EXPECT_EQ(testing::DifferenceOf(ir::PrintTvmScript(*program.module, {}), Functions(R"(
    @R.function
    def main(u: R.Tensor((2, 8), "float32"), a: R.Tensor((2, 8), "float32")):
        with R.dataflow():
            b = R.add(a, u)
            c = R.sin(b)
            R.output(c)
        return c
)")),
            "");
}

TEST(ExtractBindingsTest, ReturnsAllValuesThatOthersUsed) {
  testing::ReadProgram program = Derived(kChain);
  ASSERT_TRUE(ExtractBindings(*program.module, *program.module->Find("main"), {0, 3}));
  EXPECT_EQ(testing::DifferenceOf(ir::PrintTvmScript(*program.module, {}), Functions(R"(
    @R.function
    def main(x: R.Tensor((2, 8), "float32"), c: R.Tensor((2, 8), "float32")):
        with R.dataflow():
            a = R.exp(x)
            d = R.multiply(c, a)
            R.output(a, d)
        return (a, d)
)")),
            "");
}

TEST(ExtractBindingsTest, FailsWithoutResults) {
  testing::ReadProgram program = Derived(kChain);
  EXPECT_FALSE(ExtractBindings(*program.module, *program.module->Find("main"), {}));
}

TEST(ReduceConstantsTest, MakesLargeConstantsParameters) {
  testing::ReadProgram program = Derived(Functions(R"(
    @R.function
    def main(x: R.Tensor((18,), "float32")):
        a = R.add(x, R.const([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9], "float32"))
        b = R.add(a, R.const([1], "float32"))
        return b
)"));
  const ir::GlobalId main = *program.module->Find("main");
  const auto large = LargeConstants(*program.module, main);
  ASSERT_EQ(large.size(), 1u);
  ConstantsToParameters(*program.context, *program.module, main, large);
  EXPECT_EQ(testing::DifferenceOf(ir::PrintTvmScript(*program.module, {}), Functions(R"(
    @R.function
    def main(x: R.Tensor((18,), "float32"), w0: R.Tensor((18,), "float32")):
        a = R.add(x, w0)
        b = R.add(a, R.const([1], "float32"))
        return b
)")),
            "");
}

// Returns the program that remains if "the program fails" means that its text has all of `needed`.
std::string Least(const std::string& text, const std::vector<std::string>& needed) {
  testing::ReadProgram program = testing::ReadText(text);
  EXPECT_EQ(program.problems, "");
  const auto fails = [&](const ir::Module& m) {
    const std::string printed = ir::PrintTvmScript(m, {});
    for (const std::string& part : needed) {
      if (!absl::StrContains(printed, part)) return false;
    }
    return true;
  };
  return ir::PrintTvmScript(ReduceProgram(*program.context, *program.module, {fails}), {});
}

TEST(ReduceProgramTest, KeepsWhatTheFailureNeeds) {
  EXPECT_EQ(testing::DifferenceOf(Least(kChain, {"R.exp", "R.multiply"}), Functions(R"(
    @R.function
    def main(x: R.Tensor((1, 1), "float32")):
        with R.dataflow():
            a = R.exp(x)
            d = R.multiply(x, a)
            R.output(d)
        return d
)")),
            "");
}

TEST(ReduceProgramTest, InlinesAndDropsFunctions) {
  EXPECT_EQ(testing::DifferenceOf(Least(Functions(R"(
    @R.function(private=True)
    def twice(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        b = R.tanh(a)
        return b
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        y = R.exp(x)
        return y
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        if c:
            y = Module.twice(x)
            r = y
        else:
            r = x
        return r
)"),
                                        {"R.tanh", "main"}),
                                  Functions(R"(
    @R.function
    def main(x: R.Tensor((1,), "float32")):
        b = R.tanh(x)
        return b
)")),
            "");
}

TEST(ReduceProgramTest, ReducesProgramsThatBreakRules) {
  // The two operands cannot be added.
  const std::string least = Least(Functions(R"(
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((3,), "float32")):
        a = R.exp(x)
        b = R.add(x, y)
        c = R.sin(a)
        return c
)"),
                                  {"R.add"});
  EXPECT_FALSE(absl::StrContains(least, "R.exp")) << least;
  EXPECT_FALSE(absl::StrContains(least, "R.sin")) << least;
}

TEST(ReduceProgramTest, KeepsTuplesThatShareFieldsSmall) {
  // Written out, the last tuple has 2^60 fields.
  std::string body =
      "    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n"
      "        y0 = (x, x)\n";
  for (int i = 1; i <= 60; ++i) {
    absl::StrAppend(&body, "        y", i, " = (y", i - 1, ", y", i - 1, ")\n");
  }
  const std::string least =
      Least(Functions(absl::StrCat(body, "        return x\n")), {"y60 = ", "y30 = "});
  EXPECT_LT(least.size(), 3000u) << least;
}

TEST(ReduceProgramTest, EndsWhenItsTimeIsOver) {
  testing::ReadProgram program = testing::ReadText(kChain);
  int asked = 0;
  const auto fails = [&](const ir::Module&) {
    ++asked;
    return true;
  };
  const auto expired = [&] { return asked >= 2; };
  ReduceProgram(*program.context, *program.module, {fails, expired});
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace lathe::transform
