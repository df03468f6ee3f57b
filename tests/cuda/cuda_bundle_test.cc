// What a bundle for GPUs has beside its kernels, in the emulation: the self-test, the examples,
// weights in a file of their own, what a run says of indices in data.
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

constexpr char kProduct[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32")) -> R.Tensor(("n", 2), "float32"):
        w = R.const([[0.5, 1.0], [-2.0, 3.0], [4.0, 5.0]], "float32")
        y = R.matmul(x, w)
        return y
)";

// Rows of the weights, which data chooses.
constexpr char kChosen[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), at: R.Tensor((4,), "int64")) -> R.Tensor(("n", 4), "float32"):
        rows = R.take(R.const([[0.5, 1.0, -2.0], [3.0, 4.0, 5.0]], "float32"), at, axis=0)
        y = R.matmul(x, R.permute_dims(rows))
        return y
)";

struct Ran {
  int exit = 0;
  std::string said;
};

Ran Shell(const std::string& command) {
  Ran ran;
  ran.exit = WEXITSTATUS(std::system(absl::StrCat("(", command, ") > said 2>&1").c_str()));
  ran.said = *ReadFile("said");
  return ran;
}

std::string Compiler() {
  return absl::StrCat("c++ -std=c++17 -Wall -Wextra -Werror -I bundle -I ",
                      SourcePath("tests/cuda/emulation"), " -I ", SourcePath("tests/cuda/cases"),
                      " ");
}

// The bundle of the model in bundle/, and in lib/ what of it every program links.
void MakeBundle(const char* model, const std::vector<std::string>& options = {}) {
  ASSERT_TRUE(WriteFile("model.py", model).ok());
  std::vector<std::string> words = {"compile", "model.py", "-t", "cuda:sm_80",
                                    "-n",      "net",      "-o", "bundle"};
  words.insert(words.end(), options.begin(), options.end());
  const LatheRun made = RunLatheOn(words);
  ASSERT_EQ(made.exit, 0) << made.err;
  const std::string emulation = SourcePath("tests/cuda/emulation");
  const Ran built = Shell(absl::StrCat(
      "set -e; mkdir lib; for f in bundle/net_*.cu; do ", Compiler(),
      "-fsanitize=thread -x c++ -c $f -o lib/$(basename $f).o; done; for f in bundle/net.cpp ",
      "$(ls bundle/net_weights.cpp 2>/dev/null || true) ", emulation, "/*.cc; do ", Compiler(),
      "-c $f -o lib/$(basename $f).o; done"));
  ASSERT_EQ(built.exit, 0) << built.said;
}

// A program with main() in `source`, linked with the bundle and run beside its files.
Ran BuildAndRun(const std::string& source, const std::string& flags = "") {
  return Shell(absl::StrCat(Compiler(), flags, " -x c++ ", source,
                            " -x none lib/*.o -o program && cd bundle && ../program"));
}

TEST(CudaBundleTest, SelfTestTellsRightFromWrong) {
  const ScratchDirectory scratch;
  MakeBundle(kProduct, {"--golden"});
  const std::string main = "-DNET_SELFTEST_MAIN";
  const Ran right = BuildAndRun("bundle/net_selftest.cpp", main);
  EXPECT_EQ(right.exit, 0) << right.said;
  EXPECT_EQ(right.said, "net: 0 elements differ\n");
  // One bit of the first word of the weights, 0.5 and 1.
  const Ran wrong = Shell(
      absl::StrCat("sed -i 's/0x3f8000003f000000/0x3f8000003f400000/' bundle/net_weights.cpp && ",
                   Compiler(), "-c bundle/net_weights.cpp -o lib/net_weights.cpp.o && ", Compiler(),
                   main, " bundle/net_selftest.cpp lib/*.o -o program && ./program"));
  EXPECT_EQ(wrong.exit, 1) << wrong.said;
  EXPECT_THAT(wrong.said, HasSubstr("elements differ"));
}

TEST(CudaBundleTest, ExamplesRun) {
  const ScratchDirectory scratch;
  MakeBundle(kChosen);
  const Ran once = BuildAndRun("bundle/examples/run.cpp");
  EXPECT_EQ(once.exit, 0) << once.said;
  EXPECT_EQ(once.said, "net_run: y[0] = 0\n");
  const Ran captured = BuildAndRun("bundle/examples/graph.cu");
  EXPECT_EQ(captured.exit, 0) << captured.said;
  EXPECT_EQ(captured.said, "net_run: 10 runs from a graph\n");
  const Ran outcome = BuildAndRun(SourcePath("tests/cuda/cases/outcome.cpp"));
  EXPECT_EQ(outcome.exit, 0) << outcome.said;
  EXPECT_EQ(outcome.said, "an index in the data is out of bounds\nno error\n");
}

TEST(CudaBundleTest, WeightsInAFileOfTheirOwnAreLookedAt) {
  const ScratchDirectory scratch;
  MakeBundle(kChosen, {"--weights", "external"});
  const Ran given = BuildAndRun("bundle/examples/run.cpp");
  EXPECT_EQ(given.exit, 0) << given.said;
  ASSERT_TRUE(WriteFile("bundle/net_weights.bin",
                        std::string(ReadFile("bundle/net_weights.bin")->size(), 'x'))
                  .ok());
  const Ran others = Shell("cd bundle && ../program");
  EXPECT_EQ(others.exit, 1);
  EXPECT_THAT(others.said, HasSubstr("the weights are of a wrong size or hash"));
}

}  // namespace
}  // namespace lathe
