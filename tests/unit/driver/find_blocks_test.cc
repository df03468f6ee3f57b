// Tests the blocks into which the page of a report folds the steps.
#include "generator/driver/view/find_blocks.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

// Prints blocks as "[2..4 name [3..4]]".
std::string Print(const std::vector<StepBlock>& blocks) {
  std::string text;
  for (const StepBlock& block : blocks) {
    absl::StrAppend(&text, text.empty() ? "" : " ", "[", block.first, "..", block.last,
                    block.name.empty() ? "" : " ", block.name, block.group ? " group" : "",
                    block.children.empty() ? "" : " ", Print(block.children), "]");
  }
  return text;
}

TEST(FindBlocksTest, AChainHasNone) {
  EXPECT_EQ(Print(FindBlocks({})), "");
  EXPECT_EQ(Print(FindBlocks({{"a", {}}, {"b", {0}}, {"c", {1}}})), "");
}

TEST(FindBlocksTest, AResidualConnectionIsOne) {
  // 0 -> 1 -> 2 -> 3 (with 0) -> 4 -> 5 (with 3) -> 6
  EXPECT_EQ(
      Print(FindBlocks(
          {{"", {}}, {"", {0}}, {"", {1}}, {"", {0, 2}}, {"", {3}}, {"", {3, 4}}, {"", {5}}})),
      "[1..3] [4..5]");
}

TEST(FindBlocksTest, AllStepsAreNoBlock) {
  EXPECT_EQ(Print(FindBlocks({{"", {}}, {"", {}}, {"", {0, 1}}})), "");
}

TEST(FindBlocksTest, ConstantsConnectNothing) {
  EXPECT_EQ(Print(FindBlocks({{"", {}, true}, {"", {}}, {"", {1}}, {"", {1, 2}}, {"", {0, 3}}})),
            "[2..3]");
}

TEST(FindBlocksTest, AMaskConnectsNothing) {
  // The result of step 0 is read by all steps.
  std::vector<BlockStep> steps = {{"", {}}, {"", {}}};
  for (int i = 2; i < 20; ++i) {
    steps.push_back(
        {"", i % 3 == 1 ? std::vector<int>{0, i - 3, i - 1} : std::vector<int>{0, i - 1}});
  }
  EXPECT_EQ(Print(FindBlocks(steps)).substr(0, 14), "[2..4] [5..7] ");
}

TEST(FindBlocksTest, NamesWithPartsAreBlocks) {
  EXPECT_EQ(Print(FindBlocks({{"/stem/Conv", {}},
                              {"/layer/0/Conv", {0}},
                              {"/layer/0/Relu", {1}},
                              {"/layer/1/Conv", {2}},
                              {"/layer/1/Add", {3}},
                              {"/head", {4}}})),
            "[1..4 layer [1..2 layer/0] [3..4 layer/1]]");
}

TEST(FindBlocksTest, ABlockOfMostStepsIsItsParts) {
  EXPECT_EQ(Print(FindBlocks({{"model/a/x", {}},
                              {"model/a/y", {0}},
                              {"model/b/x;model/c/x", {1}},
                              {"model/b/y", {2}},
                              {"head", {3}}})),
            "[0..1 model/a] [2..3 model/b]");
}

TEST(FindBlocksTest, LongRunsOfNamesHaveParts) {
  std::vector<BlockStep> steps;
  for (int i = 0; i < 12; ++i) steps.push_back({"model/x", {}});
  for (int i = 1; i < 12; ++i) steps[static_cast<size_t>(i)].producers = {i - 1};
  steps[3].producers = {0, 2};
  steps[9].producers = {6, 8};
  for (int i = 0; i < 12; ++i) steps.push_back({"head/x", {11 + i}});
  EXPECT_EQ(Print(FindBlocks(steps)), "[0..11 model [1..3] [7..9]] [12..23 head]");
}

TEST(FindBlocksTest, LongListsAreGroups) {
  std::vector<BlockStep> steps;
  for (int i = 0; i < 1000; ++i)
    steps.push_back({"", i == 0 ? std::vector<int>{} : std::vector<int>{i - 1}});
  const std::vector<StepBlock> blocks = FindBlocks(steps);
  ASSERT_EQ(blocks.size(), 10u);
  EXPECT_EQ(blocks[0].first, 0);
  EXPECT_EQ(blocks[0].last, 99);
  EXPECT_TRUE(blocks[9].group);
  EXPECT_EQ(blocks[9].last, 999);
}

// Whatever the names and the edges: blocks are disjoint ranges inside their parents.
void ExpectNested(const std::vector<StepBlock>& blocks, int first, int last) {
  int next = first;
  for (const StepBlock& block : blocks) {
    EXPECT_GE(block.first, next);
    EXPECT_GT(block.last, block.first);
    EXPECT_LE(block.last, last);
    ExpectNested(block.children, block.first, block.last);
    next = block.last + 1;
  }
}

TEST(FindBlocksTest, BlocksAreNested) {
  uint32_t random = 1;
  const auto draw = [&](uint32_t below) {
    random = random * 1664525u + 1013904223u;
    return static_cast<int>((random >> 8) % below);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<BlockStep> steps;
    const int count = 1 + draw(round % 2 == 0 ? 12 : 700);
    for (int i = 0; i < count; ++i) {
      BlockStep step;
      for (int part = draw(4); part > 0; --part) absl::StrAppend(&step.name, draw(3), "/");
      if (i > 0 && draw(8) > 0)
        step.producers.push_back(i - 1 - draw(static_cast<uint32_t>(std::min(i, 5))));
      step.constant = draw(9) == 0;
      steps.push_back(step);
    }
    ExpectNested(FindBlocks(steps), 0, count - 1);
  }
}

}  // namespace
}  // namespace lathe::driver
