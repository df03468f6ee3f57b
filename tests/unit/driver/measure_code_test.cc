// Tests the measurements of --cc and budgets on them: valid bounds, and code without a bound.
#include "generator/driver/measure_code.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool Answers(const std::string& program) {
  return std::system((program + " --version >/dev/null 2>&1").c_str()) == 0;
}

constexpr char kUnusedInit[] = "typedef int lathe_unused;\nint net_init(void) { return 0; }\n";

absl::StatusOr<CodeMeasures> TryToMeasure(const std::string& source, const std::string& cc,
                                          std::vector<std::string> flags,
                                          std::map<std::string, int64_t> stack_of = {}) {
  const std::vector<emit::OutputFile> files = {{"net.c", absl::StrCat(kUnusedInit, source)}};
  MeasureSettings settings;
  settings.cc = cc;
  settings.flags = std::move(flags);
  settings.entries = {"net_init", "net_run"};
  settings.constants = {"net_w"};
  settings.stack_of = std::move(stack_of);
  return MeasureCode(files, settings);
}

CodeMeasures Measured(const std::string& source, const std::string& cc,
                      std::vector<std::string> flags,
                      std::map<std::string, int64_t> stack_of = {}) {
  auto measures = TryToMeasure(source, cc, std::move(flags), std::move(stack_of));
  EXPECT_THAT(measures, IsOk());
  return measures.ok() ? *std::move(measures) : CodeMeasures();
}

// Of this machine's GCC, whose libraries are not followed.
TEST(MeasureCodeTest, ListsUnboundedFunctions) {
  if (!Answers("gcc")) GTEST_SKIP() << "gcc is not installed";
  const std::vector<std::string> flags = {"-O2"};
  const auto unbounded = [&](const std::string& source) {
    const CodeMeasures m = Measured(source, "gcc", flags);
    EXPECT_FALSE(m.stack.has_value());
    return m.stack_unbounded;
  };
  EXPECT_THAT(unbounded("int outside(int);\nint net_run(int x) { return outside(x) + 1; }\n"),
              ElementsAre("outside is not measured"));
  EXPECT_THAT(unbounded("int net_run(int (*f)(int)) { return f(1) + 1; }\n"),
              ElementsAre("net_run calls through a pointer"));
  EXPECT_THAT(
      unbounded("int net_run(int n) { return n < 2 ? 1 : net_run(n - 1) * net_run(n - 2); }\n"),
      ElementsAre("net_run calls itself"));
  EXPECT_THAT(unbounded("int net_run(int n) { volatile char b[n]; b[0] = 1; return b[0]; }\n"),
              Contains("net_run has a frame of dynamic size"));
  const CodeMeasures given =
      Measured("int outside(int);\nint net_run(int x) { return outside(x) + 1; }\n", "gcc", flags,
               {{"outside", 1000}});
  ASSERT_TRUE(given.stack.has_value()) << given.stack_unbounded[0];
  EXPECT_GE(*given.stack, 1000);
  EXPECT_LT(*given.stack, 1200);
}

// Copies and parts of functions, which compilers call by names of their own, are not lost.
TEST(MeasureCodeTest, CopiesAndPartsOfFunctionsCount) {
  if (!Answers("gcc")) GTEST_SKIP() << "gcc is not installed";
  const CodeMeasures m = Measured(
      "static __attribute__((noinline)) int inner(volatile int *p, int n, int unused) {\n"
      "  volatile int big[500];\n  for (int i = 0; i < 500; ++i) big[i] = p[i] + n;\n"
      "  return big[7];\n}\n"
      "int net_run(volatile int *p) { return inner(p, 3, 1) + inner(p, 3, 2); }\n",
      "gcc", {"-O2"});
  ASSERT_TRUE(m.stack.has_value());
  EXPECT_GE(*m.stack, 2000);
  EXPECT_THAT(m.stack_path, HasSubstr("inner.constprop"));
  EXPECT_TRUE(m.CodeOf("inner").has_value());
  EXPECT_FALSE(m.CodeOf("inne").has_value());
}

TEST(MeasureCodeTest, ClangHasABoundIfCodeCanBeDecoded) {
  if (!Answers("clang")) GTEST_SKIP() << "clang is not installed";
  const std::string source =
      "static __attribute__((noinline)) int inner(volatile int *p) {\n"
      "  volatile int big[100];\n  for (int i = 0; i < 100; ++i) big[i] = p[i];\n  return "
      "big[7];\n}\n"
      "int net_run(volatile int *p) { return inner(p) + 1; }\n";
  const CodeMeasures host = Measured(source, "clang", {"-O2", "--target=x86_64-linux-gnu"});
  EXPECT_FALSE(host.stack.has_value());
  EXPECT_THAT(host.stack_unbounded, ElementsAre(HasSubstr("does not report the call graph")));
  const CodeMeasures arm =
      Measured(source, "clang", {"-O2", "--target=arm-none-eabi", "-mcpu=cortex-m4", "-mthumb"});
  ASSERT_TRUE(arm.stack.has_value()) << arm.stack_unbounded[0];
  EXPECT_GE(*arm.stack, 400);
  EXPECT_LE(*arm.stack, 440);
  EXPECT_THAT(arm.stack_path, HasSubstr("net_run > inner"));
}

constexpr char kWeightsAndRun[] =
    "static const unsigned char net_w[100] = {1, 2};\nint net_run(int x) { return net_w[x]; }\n";

// The objects of link-time optimization have no code, or code that is not linked.
TEST(MeasureCodeTest, LinkTimeOptimisationIsLeftOutAndHasNoStackBound) {
  for (const char* cc : {"gcc", "clang", "arm-none-eabi-gcc"}) {
    if (!Answers(cc)) continue;
    SCOPED_TRACE(cc);
    const CodeMeasures plain = Measured(kWeightsAndRun, cc, {"-O2"});
    EXPECT_EQ(plain.weights, 100);
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"-O2", "-flto"}, {"-flto", "-O2", "-ffat-lto-objects"}}) {
      const CodeMeasures m = Measured(kWeightsAndRun, cc, flags);
      EXPECT_EQ(m.flash(), plain.flash());
      EXPECT_EQ(m.weights, 100);
      EXPECT_FALSE(m.stack.has_value());
      EXPECT_THAT(m.stack_unbounded, ElementsAre("link-time optimization hides the call graph"));
    }
    EXPECT_EQ(Measured(kWeightsAndRun, cc, {"-O2", "-flto", "-fno-lto"}).stack, plain.stack);
  }
}

// A size of an object without the exported functions would be no bound.
TEST(MeasureCodeTest, FlagsThatLeaveNoCodeAreRejected) {
  if (!Answers("gcc")) GTEST_SKIP() << "gcc is not installed";
  for (const auto& [flag, why] : {std::pair("-S", "wrote no ELF object"),
                                  {"-E", "wrote no ELF object"},
                                  {"-M", "wrote no ELF object"},
                                  {"-fsyntax-only", "wrote no object"},
                                  {"-dumpmachine", "wrote no object"},
                                  {"-fwhole-program", "compiled no function 'net_init'"},
                                  {"-Dnet_run=net_walk", "compiled no function 'net_run'"}}) {
    SCOPED_TRACE(flag);
    const auto measures = TryToMeasure(kWeightsAndRun, "gcc", {"-O2", flag});
    EXPECT_THAT(measures, StatusIs(absl::StatusCode::kFailedPrecondition,
                                   HasSubstr(absl::StrCat("'gcc -O2 ", flag, "' ", why))));
  }
  if (!Answers("clang")) return;
  EXPECT_THAT(TryToMeasure(kWeightsAndRun, "clang", {"-emit-llvm"}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("wrote bitcode")));
}

TEST(MeasureCodeTest, FlagsThatMoveCodeChangeNoTotal) {
  if (!Answers("gcc")) GTEST_SKIP() << "gcc is not installed";
  const CodeMeasures plain = Measured(kWeightsAndRun, "gcc", {"-O2"});
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-ffunction-sections", "-fdata-sections"},
        {"-c"},
        {"-pipe"},
        {"-x", "c++"},
        {"-xc++"},
        {"-save-temps=obj"},
        {"-g"}}) {
    SCOPED_TRACE(flags[0]);
    std::vector<std::string> all = {"-O2"};
    all.insert(all.end(), flags.begin(), flags.end());
    const CodeMeasures m = Measured(kWeightsAndRun, "gcc", all);
    EXPECT_EQ(m.CodeOf("net_run"), plain.CodeOf("net_run"));
    EXPECT_GE(m.sizes.text, *m.CodeOf("net_run"));
    EXPECT_EQ(m.weights, 100);
    EXPECT_EQ(m.stack, plain.stack);
  }
}

TEST(MeasureCodeTest, FlashAddsUp) {
  if (!Answers("gcc")) GTEST_SKIP() << "gcc is not installed";
  const CodeMeasures m = Measured(
      "static const unsigned char net_w[100] = {1, 2};\nstatic const short other[50] = {3};\n"
      "int net_run(int x) { return net_w[x] + other[x]; }\n",
      "gcc", {"-O2"});
  EXPECT_EQ(m.weights, 100);
  EXPECT_GE(m.flash() - m.weights - m.sizes.text, 100);
  EXPECT_EQ(m.flash(), m.sizes.text + m.sizes.rodata + m.sizes.data);
}

class BudgetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Answers("arm-none-eabi-gcc")) GTEST_SKIP() << "arm-none-eabi-gcc is not installed";
    ASSERT_THAT(WriteFile("net.py",
                          "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Net:\n"
                          "    @R.function\n    def main(x: R.Tensor((4, 8), \"float32\")):\n"
                          "        return R.nn.softmax(x)\n"),
                IsOk());
  }

  // The totals of analyze.
  static nlohmann::json Totals(const std::string& options) {
    const LatheRun run = RunLatheWords("analyze net.py -t cortex-m4 --json " + options);
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(run.out)["totals"];
  }

  ScratchDirectory scratch_;
};

TEST_F(BudgetTest, LibraryFunctionsAreMeasured) {
  const nlohmann::json totals = Totals("--cc arm-none-eabi-gcc");
  ASSERT_TRUE(totals["stack_bytes"].is_number()) << totals.dump(2);
  EXPECT_GT(totals["stack_bytes"], 60);  // expf and floats by functions among it
  EXPECT_EQ(totals["stack_bytes"], totals["stack_known_bytes"]);
  EXPECT_TRUE(totals["stack_unbounded"].empty());
  const int64_t bound = totals["stack_bytes"];
  for (const int64_t less : {int64_t{0}, int64_t{1}}) {
    const LatheRun run = RunLatheWords(absl::StrCat(
        "compile net.py -t cortex-m4 -o out --cc arm-none-eabi-gcc --max-stack ", bound - less));
    EXPECT_EQ(run.exit, less == 0 ? 0 : 4) << run.err;
  }
}

TEST_F(BudgetTest, LinkTimeOptimisationPassesNoBudget) {
  const char* flags = " -t cortex-m4 --cc arm-none-eabi-gcc --cflags '-O2 -flto' ";
  for (const char* verb : {"compile net.py -o out", "analyze net.py", "report net.py -o page"}) {
    SCOPED_TRACE(verb);
    const LatheRun flash = RunLatheWords(absl::StrCat(verb, flags, "--max-flash 100"));
    EXPECT_EQ(flash.exit, 4);
    EXPECT_THAT(flash.err, HasSubstr("measured without link-time optimization"));
    EXPECT_THAT(flash.err, HasSubstr("but the budget is 100"));
    const LatheRun stack = RunLatheWords(absl::StrCat(verb, flags, "--max-stack 1M"));
    EXPECT_EQ(stack.exit, 4);
    EXPECT_THAT(stack.err, HasSubstr("link-time optimization hides the call graph"));
  }
}

TEST_F(BudgetTest, RamIsTheSumOfItsParts) {
  const nlohmann::json totals = Totals("");
  const int64_t sum = totals["arena_bytes"].get<int64_t>() + totals["input_bytes"].get<int64_t>() +
                      totals["output_bytes"].get<int64_t>() +
                      totals["instance_bytes"].get<int64_t>();
  EXPECT_EQ(totals["input_bytes"], 128);
  EXPECT_EQ(totals["output_bytes"], 128);
  EXPECT_EQ(totals["instance_bytes"], 8);
  EXPECT_EQ(totals["ram_bytes"], sum);
  const int64_t arena = totals["arena_bytes"];
  const auto exit = [](const std::string& options) {
    return RunLatheWords("compile net.py -t cortex-m4 -o out " + options).exit;
  };
  EXPECT_EQ(exit(absl::StrCat("--max-ram ", sum)), 0);
  EXPECT_EQ(exit(absl::StrCat("--max-ram ", sum - 1)), 4);
  EXPECT_EQ(exit(absl::StrCat("--max-arena ", arena)), 0);
  if (arena > 0) EXPECT_EQ(exit(absl::StrCat("--max-arena ", arena - 1)), 4);
}

// Wherever the weights are, the parts of flash are no less than 0, and add up.
TEST_F(BudgetTest, FlashAddsUpWhereverTheWeightsAre) {
  for (const char* weights : {"words", "incbin", "external"}) {
    SCOPED_TRACE(weights);
    const LatheRun run =
        RunLatheOn({"compile", SourcePath("samples/cnn/cnn.py"), "-t", "cortex-m4", "-o", "out",
                    "--weights", weights, "--cc", "arm-none-eabi-gcc"});
    ASSERT_EQ(run.exit, 0) << run.err;
    std::string line = run.out.substr(run.out.find("flash "));
    line = absl::StrReplaceAll(line.substr(0, line.find('(')), {{" ", ""}});
    long all = 0, constants = -1, code = -1, tables = -1;
    ASSERT_EQ(std::sscanf(line.c_str(), "flash%ldB=weights%ld+code%ld+tables%ld", &all, &constants,
                          &code, &tables),
              4)
        << line;
    EXPECT_EQ(all, constants + code + tables);
    EXPECT_GT(code, 0);
    EXPECT_GE(tables, 0);
    if (weights == std::string("external")) {
      EXPECT_EQ(constants, 0);
    } else {
      EXPECT_GT(constants, 300);
    }
  }
}

// The self-test and the sample of a package, which includes headers of its system, do not count.
TEST_F(BudgetTest, OnlyCodeOfTheModelCounts) {
  const auto flash = [](const std::string& options) {
    const LatheRun run =
        RunLatheWords(absl::StrCat("compile ", SourcePath("samples/cnn/cnn.py"),
                                   " -t cortex-m4 --cc arm-none-eabi-gcc ", options));
    EXPECT_EQ(run.exit, 0) << run.err;
    const size_t at = run.out.find("flash ");
    return run.out.substr(at, run.out.find('\n', at) - at);
  };
  const std::string plain = flash("-o plain");
  EXPECT_THAT(plain, HasSubstr("code"));
  EXPECT_EQ(flash("-o zephyr --package zephyr --golden"), plain);
  EXPECT_EQ(flash("-o arduino --package arduino --golden"), plain);
}

// Bytes that an emulator counted with the same flags: lathe validate --on qemu --cflags=-Os.
TEST_F(BudgetTest, QuantisedModelsTakeWhatAnEmulatorCounts) {
  const std::string models = SourcePath("../shared/models/bench");
  if (!std::filesystem::exists(models)) GTEST_SKIP() << models << " is not there";
  for (const auto& [name, counted] : {std::pair("resnet8_int8qdq", int64_t{520}),
                                      {"mobilenetv1_025_96_int8qdq", 696},
                                      {"conv3x3_64_56_int8qdq", 184}}) {
    SCOPED_TRACE(name);
    const LatheRun run = RunLatheWords(absl::StrCat("analyze ", models, "/", name,
                                                    "/model.onnx -t cortex-m4 --json "
                                                    "--cc arm-none-eabi-gcc --max-stack ",
                                                    counted - 1));
    EXPECT_EQ(run.exit, 4);
    const nlohmann::json totals = nlohmann::json::parse(run.out)["totals"];
    EXPECT_GE(totals["stack_bytes"], counted);
    EXPECT_LE(totals["stack_bytes"], counted * 3 / 2);
    EXPECT_EQ(run.err.find("_mm"), std::string::npos) << run.err;
  }
}

TEST_F(BudgetTest, FlagsAreAddedToTheTargets) {
  EXPECT_EQ(Totals("--cc arm-none-eabi-gcc --cflags=-O2")["measured_with"],
            "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -O2");
  EXPECT_EQ(
      Totals("--cc arm-none-eabi-gcc --cflags-only='-mcpu=cortex-m3 -mthumb -O1'")["measured_with"],
      "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1");
}

TEST_F(BudgetTest, AMissingCompilerIsNamedWithItsPackage) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", "/nonexistent", 1);
  const LatheRun run = RunLatheWords("compile net.py -t cortex-m4 -o out --cc arm-none-eabi-gcc");
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(run.exit, 5);
  EXPECT_THAT(run.err, HasSubstr("gcc-arm-none-eabi libnewlib-arm-none-eabi"));
}

TEST_F(BudgetTest, StackOfIsChecked) {
  for (const char* wrong : {"expf", "=3", "expf=", "expf=many", "expf=-1", "a=1 --stack-of a=2"}) {
    const LatheRun run =
        RunLatheWords(absl::StrCat("analyze net.py --cc arm-none-eabi-gcc --stack-of ", wrong));
    EXPECT_EQ(run.exit, 1) << wrong;
    EXPECT_THAT(run.err, HasSubstr("NAME=BYTES")) << wrong;
  }
}

// Four times the weights take about four times as long, not sixteen times.
TEST_F(BudgetTest, MeasuringIsLinearInTheWeights) {
  const auto seconds = [](int64_t words) {
    std::string text =
        "#include <stdint.h>\nextern const uint64_t net_w[];\nconst uint64_t net_w[] = {\n";
    for (int64_t i = 0; i < words; ++i) {
      absl::StrAppend(&text, "UINT64_C(0x", absl::Hex(i * 7919, absl::kZeroPad16), "),",
                      i % 3 == 2 ? "\n" : " ");
    }
    absl::StrAppend(&text, "};\nint net_run(int x) { return (int)net_w[x]; }\n");
    const auto begin = std::chrono::steady_clock::now();
    const CodeMeasures m =
        Measured(text, "arm-none-eabi-gcc", {"-mcpu=cortex-m4", "-mthumb", "-O1"});
    EXPECT_EQ(m.weights, words * 8);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double small = seconds(20'000), large = seconds(80'000);
  EXPECT_LT(large, 10 * small + 1);
}

}  // namespace
}  // namespace lathe::driver
