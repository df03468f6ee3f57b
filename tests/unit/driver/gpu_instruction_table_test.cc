#include "generator/driver/cli/gpu_instruction_table.h"

#include <set>

#include "generator/ir/device/gpu_instructions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::driver {
namespace {

TEST(GpuInstructionTableTest, ThePageIsCurrent) {
  ExpectGolden(SourcePath("docs/gpu-instructions.md"), GpuInstructionsAsMarkdown());
  EXPECT_THAT(GpuInstructionsAsJson(), ::testing::HasSubstr("\"name\": \"T.cuda.ballot_sync\""));
}

TEST(GpuInstructionTableTest, ListsEachInstructionOncePerGpu) {
  std::set<std::pair<std::string, int>> seen;
  for (const ir::GpuInstruction& one : ir::GpuInstructions()) {
    EXPECT_TRUE(seen.emplace(one.name, one.since).second) << one.name;
  }
}

TEST(GpuInstructionTableTest, SuggestsSimilarInstructions) {
  EXPECT_THAT(ir::DescribeSupportedOnGpus("ptx.mbarrier.inval"),
              ::testing::StartsWith("supported: T.ptx.mbarrier.init, T.ptx.mbarrier.arrive, "));
  EXPECT_EQ(ir::DescribeSupportedOnGpus("ptx.tcgen05"),
            "supported: the instructions that 'lathe ops --from cuda' lists");
}

}  // namespace
}  // namespace lathe::driver
