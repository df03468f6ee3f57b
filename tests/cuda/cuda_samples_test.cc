// Programs of samples/ as code for GPUs, in the emulation.
#include <string>
#include <utility>

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

std::string Sample(const std::string& name) {
  return SourcePath(absl::StrCat("samples/", name, "/", name, ".py"));
}

class CudaSampleTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CudaSampleTest, ComputesTheSame) {
  const auto& [name, data] = GetParam();
  const LatheRun run = RunLatheOn({"validate", Sample(name), "--on", "cuda-emulation", "--data",
                                   absl::StrCat("random:seed=1", data)});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaSampleTest,
                         testing::Values(std::pair("hello_add", ",n=300"),
                                         std::pair("mlp", ",batch=3"), std::pair("cnn", ""),
                                         std::pair("symbolic_batch", ",batch=5"),
                                         std::pair("control_flow", ",n=4"),
                                         std::pair("recursion", ",k=2")),
                         [](const auto& info) { return std::string(info.param.first); });

// On a GPU where there is one; else it is said what is missing, and nothing is taken for a result.
TEST(CudaOnDeviceTest, RunsOrSaysThatThereIsNoGpu) {
  const LatheRun run = RunLatheOn(
      {"validate", Sample("hello_add"), "--on", "cuda", "--data", "random:seed=1,n=300"});
  if (run.exit == 0) {
    EXPECT_THAT(run.out, HasSubstr("PASS"));
    return;
  }
  EXPECT_EQ(run.exit, 5) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, ::testing::AnyOf(HasSubstr("there is no GPU here to run on"),
                                        HasSubstr("there is no 'nvcc' here")));
}

// A run that looks at nothing can be captured; one that has to know what comes next says so.
TEST(CudaHeaderTest, SaysWhetherRunsCanBeCaptured) {
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
