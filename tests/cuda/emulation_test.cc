// Tests the GPU emulation: it computes correctly, and finds each fault that is injected.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

struct CaseRun {
  int exit = 0;
  std::string said;
};

// A file of tests/cuda/cases as the program `case`, compiled as generated kernels are.
void Build(const std::string& name, const std::string& flags) {
  const std::string emulation = SourcePath("runtime-c/emulation");
  const std::string cc = absl::StrCat("c++ -std=c++17 -Wall -Wextra -O1 -I ", emulation, " -I ",
                                      SourcePath("include"), " -I ", SourcePath("runtime-c"));
  const std::string build =
      absl::StrCat(cc, " -fsanitize=thread ", flags, " -x c++ -c ", SourcePath("tests/cuda/cases/"),
                   name, " -o case.o && ", cc, " case.o ", CompiledEmulationPath(), " -o case");
  ASSERT_EQ(std::system(build.c_str()), 0);
}

CaseRun RunCase(int number = 0, const std::string& environment = "") {
  CaseRun ran;
  ran.exit = WEXITSTATUS(
      std::system(absl::StrCat(environment, " ./case ", number, " > said 2>&1").c_str()));
  ran.said = *ReadFile("said");
  return ran;
}

TEST(CudaEmulationTest, BarriersShufflesAndAtomicsCompute) {
  const ScratchDirectory scratch;
  Build("sums.cu", "");
  const CaseRun ran = RunCase();
  EXPECT_EQ(ran.exit, 0) << ran.said;
  EXPECT_EQ(ran.said, "right\n");
}

TEST(CudaEmulationTest, AMissingBarrierIsFound) {
  const ScratchDirectory scratch;
  Build("sums.cu", "'-DBARRIER=(void)0'");
  const CaseRun ran = RunCase();
  EXPECT_EQ(ran.exit, 86);
  EXPECT_THAT(ran.said, HasSubstr("race: threads 0 and 48 of block 0 access"));
}

// The tiles of lathe/cuda_tiles.h, lathe/cuda_mma_tiles.h and of attention, each kind of them, and
// what goes along lines and rows; some cases have nothing to wait for.
struct TileFile {
  const char* name;
  int cases;
  std::vector<int> deep;    // the cases that need their barriers
  std::vector<int> copied;  // and those that copy while they multiply
  const char* race = "in shared memory without a barrier in between";
};
const TileFile kTiles = {"products.cu", 10, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {}};
const TileFile kTensorTiles = {"tensor_products.cu",
                               16,
                               {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16},
                               {1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 14}};
// Adjacent lines, and teams of more than a warp; also one of a single step.
const TileFile kVectors = {"vectors.cu", 9, {1, 2, 3, 4, 5, 6}, {}};
// Sums so far, and orders, that blocks share.
const TileFile kAlongRows = {"along_rows.cu", 8, {1, 2, 3, 4, 5}, {}, "race: thread"};
const TileFile kAttention = {"attention.cu", 12, {1, 2, 3, 4, 5, 6, 9}, {5, 6, 7, 8, 9, 10, 11}};

class CudaTilesTest : public ::testing::TestWithParam<TileFile> {};

TEST_P(CudaTilesTest, TilesNeedTheirBarriers) {
  const TileFile& file = GetParam();
  const ScratchDirectory scratch;
  Build(file.name, "");
  const CaseRun right = RunCase();
  EXPECT_EQ(right.exit, 0) << right.said;
  EXPECT_EQ(right.said, "right\n");
  for (int tile : file.deep) {
    const CaseRun ran = RunCase(tile, "NO_BARRIERS=1");
    EXPECT_EQ(ran.exit, 86) << tile;
    EXPECT_THAT(ran.said, HasSubstr(file.race)) << tile;
  }
  for (int tile : file.copied) {
    const CaseRun ran = RunCase(tile, "NO_WAIT=1");
    EXPECT_EQ(ran.exit, 86) << tile;
    EXPECT_THAT(ran.said, HasSubstr("where a copy is incomplete: it was not waited for")) << tile;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, CudaTilesTest,
                         ::testing::Values(kTiles, kTensorTiles, kVectors, kAlongRows, kAttention),
                         [](const auto& info) {
                           return std::string(info.param.name, strcspn(info.param.name, "."));
                         });

// Each thing that they need is left out once, in the order of the case's faults.
TEST(CudaEmulationTest, HopperTilesNeedTheirBarriers) {
  const char* const said[] = {
      "multiplies shared memory at",  // no wait for its bytes
      "arrivals and 16 bytes are missing",
      "where a copy is incomplete: it was not waited for",
      "where all of its phase have",  // arrived: a stage is filled again
      "which warp 4 may still multiply",
      "adds products to sums that it may have changed",
      "may still multiply",
      "without a fence since its initialization",
      "warps request 80896 registers in total, of 65536",
      "which warp 8 may still multiply",
      "that thread 0 initialized without a barrier in between",
      "thread 224 multiplies shared memory at",
  };
  const ScratchDirectory scratch;
  Build("wgmma_products.cu", "");
  const CaseRun right = RunCase();
  EXPECT_EQ(right.exit, 0) << right.said;
  EXPECT_EQ(right.said, "right\n");
  for (int i = 0; i < std::ssize(said); ++i) {
    const CaseRun ran = RunCase(i + 1);
    EXPECT_EQ(ran.exit, 86) << i + 1;
    EXPECT_THAT(ran.said, HasSubstr(said[i])) << i + 1;
  }
}

TEST(CudaEmulationTest, EachFaultIsFound) {
  struct Fault {
    int exit;
    const char* said;
  };
  const Fault faults[] = {{0, ""},
                          {86, "writes 4 bytes at"},
                          {86, "which a thread of another block of the same launch accessed"},
                          {86, "wait for each other"},
                          {86, "that another block left"},
                          {86, "the host touched memory of the GPU"},
                          {86, "the default stream"},
                          {1, "status 901"},
                          {1, "not there yet"},
                          {1, "status 9"}};
  const ScratchDirectory scratch;
  Build("faults.cu", "");
  for (int i = 0; i < std::ssize(faults); ++i) {
    const CaseRun ran = RunCase(i);
    EXPECT_EQ(ran.exit, faults[i].exit) << i;
    EXPECT_THAT(ran.said, HasSubstr(faults[i].said)) << i;
  }
}

// What hands memory over without a barrier: a weaker access, a narrower scope, a fence or a store
// too late, each once; then those that look for what never comes.
TEST(CudaEmulationTest, ReleaseAndAcquireOrderAccesses) {
  const ScratchDirectory scratch;
  Build("ordered.cu", "");
  const CaseRun right = RunCase();
  EXPECT_EQ(right.exit, 0) << right.said;
  EXPECT_EQ(right.said, "right\n");
  constexpr int kLastRace = 11;
  for (int i = 1; i <= kLastRace; ++i) {
    const CaseRun ran = RunCase(i);
    EXPECT_EQ(ran.exit, 86) << i;
    EXPECT_THAT(ran.said, HasSubstr("which a thread of another block of the same launch accessed"))
        << i;
  }
  const char* const said[] = {
      "64 threads of block (0, 0, 0) wait in a loop",
      "race: threads 0 and 32 of block 0 access",
      "33 threads of block (0, 0, 0) wait in a loop",
      "which is not in shared memory",
      "32 threads of block (0, 0, 0) wait in a loop",
      "which a thread of another block of the same launch accessed",
  };
  for (int i = 0; i < std::ssize(said); ++i) {
    const CaseRun ran = RunCase(kLastRace + 1 + i);
    EXPECT_EQ(ran.exit, 86) << i;
    EXPECT_THAT(ran.said, HasSubstr(said[i])) << i;
  }
}

TEST(CudaEmulationTest, SeveralGpusAreOrderedByEventsAlone) {
  struct Fault {
    int exit;
    const char* said;
  };
  const Fault faults[] = {{0, "right\n"},
                          {86, "and no event says which is first"},  // before it is there
                          {86, "and no event says which is first"},  // while it is copied
                          {86, "a kernel on GPU 0 accesses memory of GPU 1"},
                          {1, "status 400"},
                          {1, "status 400"},
                          {86, "a copy between GPUs of memory of GPU 1"},
                          {1, "status 904"},
                          {1, "status 905"},
                          {86, "the host touched memory of the GPU"},
                          {86, "and no event says which is first"}};
  const ScratchDirectory scratch;
  Build("several.cu", "");
  for (int i = 0; i < std::ssize(faults); ++i) {
    const CaseRun ran = RunCase(i);
    EXPECT_EQ(ran.exit, faults[i].exit) << i << ran.said;
    EXPECT_THAT(ran.said, HasSubstr(faults[i].said)) << i;
  }
}

}  // namespace
}  // namespace lathe
