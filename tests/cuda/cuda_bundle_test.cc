// Tests the host part of GPU bundles in the emulation: self-test, examples, external weights, and
// reports of invalid indices.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/cuda/compile_bundle.h"
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

// Of sizes that are given twice, at most 8 rows.
constexpr char kHalves[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float16"), s: R.Shape(["n", "m"]), t: R.Shape(["n"])) -> R.Tensor(("n", "m"), "float16"):
        R.func_attr({"tir_var_upper_bound": {"n": 8}})
        y = R.exp(x)
        return y
)";

constexpr char kFailing[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.call_dps_packed("measure", (x,), out_sinfo=R.Tensor((4,), "float32"))
        return R.exp(y)
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

// Rows that the host chooses, multiplied on another GPU; what was sent to the host is written anew.
constexpr char kPlaced[] = R"(from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("cuda", 1), I.vdevice("llvm")]})

    @T.prim_func(private=True)
    def more(a: T.handle):
        n = T.int64()
        x = T.match_buffer(a, (n, 3), "float32")
        for i, j in T.grid(n, 3):
            with T.sblock("more"):
                vi, vj = T.axis.remap("SS", [i, j])
                x[vi, vj] = x[vi, vj] + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", 3), "float32", "cuda:0"), at: R.Tensor((4,), "int64", "llvm")):
        n = T.int64()
        a = R.add(x, x)
        b = R.to_vdevice(a, "llvm")
        more = R.call_tir_inplace(Module.more, (a,), inplace_indices=[0], out_sinfo=R.Tensor((n, 3), "float32", "cuda:0"))
        rows = R.take(b, at, axis=0)
        c = R.to_vdevice(rows, "cuda:1")
        d = R.matmul(c, R.const([[1, 0], [1, 0], [1, 0]], "float32"))
        return (d, more)
)";

// The bundle of the model in bundle/, and in lib/ what of it every program links.
void MakeBundle(const char* model, const std::vector<std::string>& options = {}) {
  ASSERT_TRUE(WriteFile("model.py", model).ok());
  std::vector<std::string> words = {"compile", "model.py", "-t", "cuda:sm_80",
                                    "-n",      "net",      "-o", "bundle"};
  words.insert(words.end(), options.begin(), options.end());
  const LatheRun made = RunLatheOn(words);
  ASSERT_EQ(made.exit, 0) << made.err;
  const Ran built = Shell(absl::StrCat(
      "set -e; mkdir lib; for f in bundle/net_*.cu; do ", BundleCompiler(),
      "-fsanitize=thread -x c++ -c $f -o lib/$(basename $f).o; done; for f in bundle/net.cpp ",
      "$(ls bundle/net_weights.cpp bundle/net_weights.S 2>/dev/null || true); do ",
      BundleCompiler(), "-c $f -o lib/$(basename $f).o; done; cp ", CompiledEmulationPath(),
      " lib/"));
  ASSERT_EQ(built.exit, 0) << built.said;
}

// A program with main() in `source`, linked with the bundle and run in its folder.
Ran BuildAndRun(const std::string& source, const std::string& flags = "") {
  return Shell(absl::StrCat(BundleCompiler(), flags, " -x c++ ", source,
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
  const Ran wrong = Shell(absl::StrCat(
      "sed -i 's/0x3f8000003f000000/0x3f8000003f400000/' bundle/net_weights.cpp && ",
      BundleCompiler(), "-c bundle/net_weights.cpp -o lib/net_weights.cpp.o && ", BundleCompiler(),
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

TEST(CudaBundleTest, ChecksExternalWeights) {
  const ScratchDirectory scratch;
  MakeBundle(kProduct, {"--weights", "external", "--golden"});
  const Ran tested = BuildAndRun("bundle/net_selftest.cpp", "-DNET_SELFTEST_MAIN");
  EXPECT_EQ(tested.said, "net: 0 elements differ\n");
  const Ran captured = BuildAndRun("bundle/examples/graph.cu");
  EXPECT_EQ(captured.said, "net_run: 10 runs from a graph\n");
  const Ran given = BuildAndRun("bundle/examples/run.cpp");
  EXPECT_EQ(given.exit, 0) << given.said;
  EXPECT_EQ(Shell("./program bundle/net_weights.bin").exit, 0);
  EXPECT_EQ(Shell("./program").said, "cannot read net_weights.bin\n");
  ASSERT_TRUE(WriteFile("bundle/net_weights.bin",
                        std::string(ReadFile("bundle/net_weights.bin")->size(), 'x'))
                  .ok());
  const Ran others = Shell("cd bundle && ../program");
  EXPECT_EQ(others.exit, 1);
  EXPECT_THAT(others.said, HasSubstr("the weights have the wrong size or hash"));
}

TEST(CudaBundleTest, TheAssemblerPutsWeightsIntoTheProgram) {
  const ScratchDirectory scratch;
  MakeBundle(kProduct, {"--weights", "incbin", "--golden"});
  const Ran tested = BuildAndRun("bundle/net_selftest.cpp", "-DNET_SELFTEST_MAIN");
  EXPECT_EQ(tested.said, "net: 0 elements differ\n");
}

TEST(CudaBundleTest, FloatsOf16BitsAreShownAsNumbers) {
  const ScratchDirectory scratch;
  MakeBundle(kHalves);
  const Ran once = BuildAndRun("bundle/examples/run.cpp");
  EXPECT_EQ(once.said, "net_run: y[0] = 1\n");
}

// What takes no workspace, or always as much, looks at sizes too.
TEST(CudaBundleTest, UnsupportedSizesHaveNoWorkspace) {
  const ScratchDirectory scratch;
  MakeBundle(kHalves);
  EXPECT_THAT(*ReadFile("bundle/net.h"),
              HasSubstr("int64_t s_0; /* a size, 0 to 8: n of the program */\n"));
  ASSERT_TRUE(WriteFile("sizes.cpp", R"(
#include <cstdio>
#include <initializer_list>
#include "net.h"
int main() {
  for (const auto& [n, m, same] : {net_dims{4, 3, 4}, {4, 3, 5}, {-1, 3, -1}, {9, 3, 9}}) {
    const net_dims dims = {n, m, same};
    std::printf("%d ", net_workspace_size(&dims) == SIZE_MAX ? 1 : 0);
  }
  std::printf("%d\n", net_workspace_size(nullptr) == SIZE_MAX ? 1 : 0);
})")
                  .ok());
  EXPECT_EQ(BuildAndRun("sizes.cpp").said, "0 1 1 1 1\n");
}

TEST(CudaBundleTest, ReportsErrorTextOfExternalFunctions) {
  const ScratchDirectory scratch;
  MakeBundle(kFailing);
  const Ran built = Shell(
      "cd lib && for f in ../bundle/lathe/*.c; do cc -Wall -Wextra -Werror -I ../bundle "
      "-DLATHE_ON_ERROR=heard -c $f || exit 1; done");
  ASSERT_EQ(built.exit, 0) << built.said;
  ASSERT_TRUE(WriteFile("functions.cpp", R"(
#include <cstdio>
#include "net.h"
extern "C" void heard(const char *message) { std::printf("%s\n", message); }
extern "C" int measure(const lathe_host *host, lathe_call *call, const lathe_value *, size_t, lathe_value *) {
  host->error(call, "the sensor is off");
  return LATHE_E_FAILED;
})")
                  .ok());
  const Ran ran = BuildAndRun("functions.cpp bundle/examples/run.cpp");
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.said,
            "net_run: an assertion of the program or an external function failed\n"
            "the sensor is off\n");
}

TEST(CudaBundleTest, EveryStatusHasAText) {
  const std::string codes = *ReadFile(SourcePath("include/lathe/rt.h"));
  const std::string texts = *ReadFile(SourcePath("runtime-c/cuda_launch.h"));
  const std::string define = "#define LATHE_E_";
  int count = 0;
  for (size_t at = codes.find(define); at != codes.npos; at = codes.find(define, at + 1), ++count) {
    const size_t begin = at + define.size(), end = codes.find(' ', begin);
    const std::string code = codes.substr(begin, end - begin);
    EXPECT_THAT(texts, HasSubstr(absl::StrCat("case LATHE_E_", code, ":\n      return \"")));
  }
  EXPECT_GE(count, 11);
}

TEST(CudaBundleTest, DevicesGetMemoryLocations) {
  const ScratchDirectory scratch;
  MakeBundle(kPlaced);
  const Ran ran = BuildAndRun(SourcePath("tests/cuda/cases/places.cpp"));
  EXPECT_EQ(ran.exit, 0) << ran.said;
  EXPECT_EQ(ran.said,
            "GPU 3\n"
            "6 24 42 60, 29\n"
            "678 660 642 624, 229\n"
            "6024 6024 6024 6024, 2029\n"
            "78 78 6 6, 29\n"
            "an index in the data is out of bounds\n"
            "no error\n"
            "a required pointer is NULL\n"
            "the workspace is too small\n"
            "invalid resource handle\n"
            "GPU 3\n");
  for (const char* gpus : {"1", "4"}) {
    const std::string set = absl::StrCat("export LATHE_EMULATED_GPUS=", gpus, "; ");
    const Ran example = Shell(absl::StrCat(
        set, BundleCompiler(), "bundle/examples/run.cpp lib/*.o -o program && ./program"));
    EXPECT_EQ(example.said, "net_run: d[0] = 0\nnet_run: more[0] = 1\n") << gpus;
    const Ran captured = Shell(
        absl::StrCat(set, BundleCompiler(),
                     "-x c++ bundle/examples/graph.cu -x none lib/*.o -o program && ./program"));
    EXPECT_EQ(captured.said, "net_run: 10 runs from a graph\n") << gpus;
  }
}

TEST(CudaBundleTest, SelfTestRunsOnDevices) {
  const ScratchDirectory scratch;
  MakeBundle(ReadFile(SourcePath("tests/cuda/models/two_gpus.py"))->c_str(), {"--golden"});
  const Ran tested = BuildAndRun("bundle/net_selftest.cpp", "-DNET_SELFTEST_MAIN");
  EXPECT_EQ(tested.exit, 0);
  EXPECT_EQ(tested.said, "net: 0 elements differ\n");
}

// Each precedes a copy, or a write to memory that was being copied.
TEST(CudaBundleTest, EveryWaitOfDevicesIsNeeded) {
  const ScratchDirectory scratch;
  MakeBundle(kPlaced);
  const std::string right = *ReadFile("bundle/net.cpp");
  const std::string wait = "status = lathe_wait(";
  const size_t last = right.rfind("net_launch_");
  int waits = 0;
  for (size_t at = right.find(wait); at < last; at = right.find(wait, at + 1), ++waits) {
    const size_t end = right.find(";", at);
    ASSERT_TRUE(WriteFile("bundle/net.cpp",
                          absl::StrCat(right.substr(0, at), "status = LATHE_OK", right.substr(end)))
                    .ok());
    const Ran built = Shell(
        absl::StrCat(BundleCompiler(), "-c bundle/net.cpp -o lib/net.cpp.o && rm -f program"));
    ASSERT_EQ(built.exit, 0) << built.said;
    const Ran ran = BuildAndRun("bundle/examples/run.cpp");
    EXPECT_EQ(ran.exit, 86) << right.substr(at, end - at);
    EXPECT_THAT(ran.said, HasSubstr("and no event says which is first"));
  }
  EXPECT_EQ(waits, 3);
}

}  // namespace
}  // namespace lathe
