// Runs the programs of samples/ as GPU code, in the emulation.
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

std::string Sample(const std::string& name) {
  return SourcePath(absl::StrCat("samples/", name, "/", name, ".py"));
}

class CudaSampleTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CudaSampleTest, ComputesTheSame) {
  const auto& [name, data] = GetParam();
  const LatheRun run = RunLatheOn({"validate", Sample(name), "--on", "cuda-emulation", "--data",
                                   absl::StrCat("random:seed=1", data)});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// Elsewhere it is there already.
TEST(CudaEmulatedTest, TheEmulationIsCompiledWithTheProgram) {
  unsetenv("LATHE_COMPILED_EMULATION");
  const LatheRun run = RunLatheOn(
      {"validate", Sample("hello_add"), "--on", "cuda-emulation", "--data", "random:seed=1,n=300"});
  setenv("LATHE_COMPILED_EMULATION", CompiledEmulationPath().c_str(), 1);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// The CUDA file runs on the GPU and is compared with the C file.
TEST(CudaExternTest, CallsExternalFunctionsOnTheStream) {
  const std::string folder = SourcePath("samples/custom_extern/");
  std::vector<std::string> words = {
      "validate", Sample("custom_extern"), "--on",     "cuda-emulation",
      "--data",   "random:seed=1,n=40",    "--extern", folder + "sensor.c"};
  LatheRun run = RunLatheOn(words);
  EXPECT_EQ(run.exit, 5);
  EXPECT_THAT(run.err, HasSubstr("the program calls 'sensor.range', an external function; "
                                 "define it with '--extern FILE.cu'"));
  words.insert(words.end(), {"--extern", folder + "sensor.cu"});
  run = RunLatheOn(words);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaSampleTest,
                         ::testing::Values(std::pair("mlp", ",batch=3"), std::pair("cnn", ""),
                                           std::pair("symbolic_batch", ",batch=5"),
                                           std::pair("control_flow", ",n=4"),
                                           std::pair("recursion", ",k=2")),
                         [](const auto& info) { return std::string(info.param.first); });

// On a GPU where there is one; else it is said what is missing, and nothing is taken for a result.
TEST(CudaOnDeviceTest, RunsOrReportsMissingGpu) {
  const LatheRun run = RunLatheOn(
      {"validate", Sample("hello_add"), "--on", "cuda", "--data", "random:seed=1,n=300"});
  if (run.exit == 0) {
    EXPECT_THAT(run.out, HasSubstr("PASS"));
    return;
  }
  EXPECT_EQ(run.exit, 5) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err,
              ::testing::AnyOf(HasSubstr("no GPU is available"), HasSubstr("cannot find 'nvcc'")));
}

TEST(CudaOnDeviceTest, MeasuresTimesOrReportsMissingGpu) {
  const LatheRun run =
      RunLatheOn({"bench", Sample("hello_add"), "--on", "cuda", "--data", "random:n=300"});
  if (run.exit == 0) {
    EXPECT_THAT(run.out, HasSubstr("median"));
    return;
  }
  EXPECT_EQ(run.exit, 5) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err,
              ::testing::AnyOf(HasSubstr("no GPU is available"), HasSubstr("cannot find 'nvcc'")));
}

// What takes the time, in the emulation; a program that looks at data has no graph.
TEST(CudaBenchTest, TimesEachRun) {
  for (const char* graph : {"", "--cuda-graph"}) {
    std::vector<std::string> words = {
        "bench", Sample("hello_add"), "--on", "cuda-emulation", "--data", "random:n=300", "--runs",
        "3",     "--warmup",          "1",    "--json"};
    if (*graph != 0) words.emplace_back(graph);
    const LatheRun run = RunLatheOn(words);
    ASSERT_EQ(run.exit, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["runs"], 3);
    EXPECT_EQ(json["each_us"].size(), 3u);
    EXPECT_EQ(json["cuda_graph"], *graph != 0);
    EXPECT_GT(json["least_us"], 0);
    EXPECT_THAT(run.out, HasSubstr("the emulation, whose times say nothing of a GPU"));
  }
  const LatheRun run = RunLatheOn({"bench", Sample("control_flow"), "--on", "cuda-emulation",
                                   "--data", "random:n=4", "--cuda-graph"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("waits for the GPU in between, and cannot be captured"));
}

// A run that looks at nothing can be captured; one that has to know what comes next says so.
TEST(CudaHeaderTest, DocumentsStreamCapture) {
  const ScratchDirectory scratch;
  for (const auto& [name, capturable] : {std::pair("mlp", "1"), std::pair("control_flow", "0")}) {
    const LatheRun run =
        RunLatheOn({"compile", Sample(name), "-t", "cuda:sm_80", "-n", "net", "-o", "out"});
    ASSERT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(*ReadFile("out/net.h"),
                HasSubstr(absl::StrCat("#define NET_CAPTURABLE ", capturable, "\n")));
  }
}

}  // namespace
}  // namespace lathe
