#include "generator/plan/draw_packing.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "generator/plan/peak.h"
#include "gmock/gmock.h"

namespace lathe::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<Block> kBlocks = {{32, 0, 1}, {64, 1, 2}, {16, 2, 4}, {0, 0, 4}};

TEST(DrawPackingTest, TimeGoesDown) {
  EXPECT_EQ(DrawPacking(kBlocks, {64, 0, 64, 0}, {"x", "hidden", "y", "empty"}, {24, 10}),
            "    step        bytes  0                     96\n"
            "       0           32  ................[x=====]\n"
            "       1           96  [hidden========][x=====]  peak\n"
            "       2           80  [hidden========][y=]....\n"
            "       3           16  ................[y=]....\n"
            "       4           16  ................[y=]....\n");
}

TEST(DrawPackingTest, FewRowsShowTheFullestSteps) {
  EXPECT_EQ(DrawPacking(kBlocks, {64, 0, 64, 0}, {}, {6, 2}),
            "    step        bytes  0   96\n"
            "       1           96  [1=][]  peak\n"
            "       2           80  [1=]#.\n");
}

TEST(DrawPackingTest, LongLifetimesAreCompressed) {
  const std::vector<Block> blocks = {{8, 0, 2'000'000'000}, {8, 1'000'000, 1'000'001}};
  const std::vector<std::string> lines =
      absl::StrSplit(DrawPacking(blocks, {0, 8}, {}, {8, 3}), '\n');
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[1], " 1000000           16  [0=][1=]  peak");
}

TEST(DrawPackingTest, OverlappedBlocksAreNamed) {
  const std::vector<Block> blocks = {{64, 0, 1}, {64, 1, 1}, {16, 1, 1}};
  EXPECT_EQ(
      DrawPacking(blocks, {32, 0, 80}, {"in", "out", "inner"}, {24, 10}),
      "    step        bytes  0                     96\n"
      "       0           64  ........[in============]\n"
      "       1           96  [out===========][in====]  peak  overlapped: in at 32..96, inner "
      "at 80..96\n");
}

// A covered block takes no column beside those that cover it.
TEST(DrawPackingTest, CoveredBlocksAreNotDrawn) {
  const std::vector<Block> blocks = {{64, 0, 0}, {64, 0, 0}, {32, 1, 1}, {32, 0, 1}};
  const std::vector<std::string> lines =
      absl::StrSplit(DrawPacking(blocks, {0, 0, 0, 64}, {"in", "out", "x", "y"}, {24, 10}), '\n');
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1],
            "       0           96  [in============][y=====]  peak  overlapped: out at 0..64");
}

TEST(DrawPackingTest, NothingToDraw) {
  EXPECT_EQ(DrawPacking({}, {}, {}, {8, 3}), "    step        bytes  0      0\n");
}

TEST(PeakTest, NamesTheFirstFullestStepAndItsOwners) {
  const Peak peak = FindPeak(kBlocks);
  EXPECT_EQ(peak.bytes, 96);
  EXPECT_EQ(peak.step, 1);
  EXPECT_THAT(peak.owners, ElementsAre(1, 0));
  EXPECT_THAT(FindPeak({}).owners, IsEmpty());
}

}  // namespace
}  // namespace lathe::plan
