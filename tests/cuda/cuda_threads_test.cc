// Tests loops that programs bind to threads, in the emulation, including faults.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

std::string ThreadsModel(const std::string& name) {
  return *ReadFile(SourcePath(absl::StrCat("tests/cuda/models/", name, ".py")));
}

LatheRun ValidateThreads(const std::string& program, const std::string& sizes = "") {
  EXPECT_TRUE(WriteFile("model.py", program).ok());
  return RunLatheOn({"validate", "model.py", "--on", "cuda-emulation", "--data",
                     absl::StrCat("random:seed=1", sizes)});
}

TEST(CudaThreadsTest, ATiledProductComputesTheSame) {
  const ScratchDirectory scratch;
  const LatheRun run = ValidateThreads(ThreadsModel("tiled_product"));
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// Either of the two barriers: before the tiles are read, and before they are written again.
TEST(CudaThreadsTest, AMissingBarrierIsFound) {
  const ScratchDirectory scratch;
  const std::string whole = ThreadsModel("tiled_product");
  const std::string barrier = "                            T.tvm_storage_sync(\"shared\")\n";
  const size_t first = whole.find(barrier), second = whole.rfind(barrier);
  ASSERT_NE(first, second);
  for (size_t at : {first, second}) {
    const LatheRun run = ValidateThreads(std::string(whole).erase(at, barrier.size()));
    EXPECT_EQ(run.exit, 6) << run.out;
    EXPECT_THAT(run.err, HasSubstr("in shared memory")) << at;
    EXPECT_THAT(run.err, HasSubstr("race")) << at;
  }
}

TEST(CudaThreadsTest, EachNestIsALaunch) {
  const ScratchDirectory scratch;
  const LatheRun run = ValidateThreads(ThreadsModel("bound_loops"), ",n=70");
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
  const LatheRun made =
      RunLatheOn({"compile", "model.py", "-t", "cuda:sm_80", "-n", "net", "-o", "o"});
  ASSERT_EQ(made.exit, 0) << made.err;
  const std::string kernels = *ReadFile("o/net_scheduled.cu");
  for (const char* launch :
       {"net_scan_twice", "net_scan_Y", "net_sums", "net_histogram_H", "net_histogram_update"}) {
    EXPECT_THAT(kernels, HasSubstr(absl::StrCat("lathe_launch(", launch, ", lathe_extents{")));
  }
}

}  // namespace
}  // namespace lathe
