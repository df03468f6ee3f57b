// Tests self-tests of models with several functions.
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kGoldenModel[] = R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        return R.add(x, R.const([[1.0, 2.0], [3.0, 4.0]], "float32"))

    @R.function
    def scaled(x: R.Tensor(("n", 2), "float16"), t: R.Tuple(R.Prim("int64"))) -> R.Tensor(("n", 2), "float16"):
        return R.multiply(x, R.const([[5.0, 6.0]], "float16"))

    @R.function
    def other(x: R.Tensor((2,), "float32"), any: R.Callable) -> R.Tensor((2,), "float32"):
        return R.add(x, x)
)";

// With `-D` of a size that one of the functions has.
TEST(GoldenTest, TestsEveryFunctionAndListsTheOthers) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", kGoldenModel), IsOk());
  const LatheRun made = RunLatheWords("compile m.py -n net -o out --golden -D n=3..5");
  ASSERT_EQ(made.exit, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("the self-test leaves out 'other': 'any' cannot be random"));
  EXPECT_THAT(made.err, Not(HasSubstr("--input")));
  const auto text = ReadFile("out/net_selftest.c");
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(*text, HasSubstr("net_other is not tested"));
  const char* build =
      "cc -std=c99 -Wall -Wextra -Werror -DNET_SELFTEST_MAIN -Iout out/*.c -lm -o run";
  ASSERT_EQ(std::system(build), 0);
  EXPECT_EQ(std::system("./run"), 0);
  // A weight of either function.
  const auto source = ReadFile("out/net.c");
  ASSERT_THAT(source, IsOk());
  for (const auto& [word, other] : {std::pair("    1.0f, 2.0f,", "    1.5f, 2.0f,"),
                                    std::pair("0x0000000046004500", "0x0000000046004600")}) {
    const std::string changed = absl::StrReplaceAll(*source, {{word, other}});
    ASSERT_NE(changed, *source) << word;
    ASSERT_THAT(WriteFile("out/net.c", changed), IsOk());
    ASSERT_EQ(std::system(build), 0);
    EXPECT_NE(std::system("./run"), 0) << word;
  }
}

TEST(GoldenTest, FailsIfNothingCanBeTested) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("m.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), any: R.Callable) -> R.Tensor((2,), "float32"):
        return R.add(x, x)
)"),
              IsOk());
  const LatheRun made = RunLatheWords("compile m.py -n net -o out --golden");
  EXPECT_EQ(made.exit, 1);
  EXPECT_THAT(made.err, HasSubstr("'any' cannot be random: it is R.Callable"));
}

}  // namespace
}  // namespace lathe::driver
