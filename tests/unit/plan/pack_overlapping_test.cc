// Packings in which the result of a step lies over an input.
#include "generator/plan/pack_overlapping.h"

#include <algorithm>
#include <random>
#include <vector>

#include "generator/plan/check_packing.h"
#include "gtest/gtest.h"

namespace lathe::plan {
namespace {

TEST(PackOverlappingTest, AChainOfEqualBlocksNeedsOne) {
  std::vector<Block> blocks;
  std::vector<BlockOverlap> overlaps;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back({800, i, i + 1, 8});
    if (i > 0) overlaps.push_back({static_cast<size_t>(i - 1), static_cast<size_t>(i), 0});
  }
  const Packing packing = PackOverlapping(blocks, overlaps);
  EXPECT_EQ(packing.height, 800);
  EXPECT_EQ(packing.lower_bound, 800);
  EXPECT_TRUE(CheckOverlapping(blocks, overlaps, packing.offsets, packing.height).ok());
}

TEST(PackOverlappingTest, AnInputStartsItsDistanceAboveTheOutput) {
  const std::vector<Block> blocks = {{400, 0, 1, 8}, {800, 1, 2, 8}};
  const std::vector<BlockOverlap> overlaps = {{0, 1, 410}};
  const Packing packing = PackOverlapping(blocks, overlaps);
  EXPECT_EQ(packing.height, 416 + 400);
  EXPECT_EQ(packing.offsets[0] - packing.offsets[1], 416);  // aligned
}

// A chain of blocks as one rectangle would keep 1,000 bytes until step 4.
TEST(PackOverlappingTest, WhatAnOverlapLeavesFreeIsUsed) {
  const std::vector<Block> blocks = {{1000, 0, 1, 8}, {200, 1, 4, 8}, {800, 3, 4, 8}};
  const std::vector<BlockOverlap> overlaps = {{0, 1, 0}};
  EXPECT_EQ(PackOverlapping(blocks, overlaps).height, 1000);
}

TEST(PackOverlappingTest, WithoutOverlapsNothingIsShared) {
  const std::vector<Block> blocks = {{1000, 0, 1, 8}, {200, 1, 4, 8}};
  EXPECT_EQ(PackOverlapping(blocks, {}).height, 1200);
}

// Chains of blocks with random sizes and distances, among blocks that overlap nothing.
TEST(PackOverlappingTest, RandomPackingsAreValidAndNotHigher) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int lower = 0;
  for (int n = 0; n < 300; ++n) {
    std::vector<Block> blocks;
    std::vector<BlockOverlap> overlaps;
    const int count = 2 + below(20);
    for (int i = 0; i < count; ++i) {
      const int first = i + below(3), last = first + 1 + below(3);
      blocks.push_back({below(6) == 0 ? 0 : 1 + below(2000), first, last, 1 << below(5)});
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (size_t j = 0; j < blocks.size(); ++j) {
        if (i == j || blocks[i].last != blocks[j].first || blocks[i].size == 0) continue;
        if (blocks[j].size > 0 && below(3) > 0)
          overlaps.push_back({i, j, below(static_cast<int>(blocks[j].size))});
      }
    }
    const Packing packing = PackOverlapping(blocks, overlaps);
    const absl::Status checked =
        CheckOverlapping(blocks, overlaps, packing.offsets, packing.height);
    ASSERT_TRUE(checked.ok()) << "case " << n << ": " << checked;
    EXPECT_LE(packing.lower_bound, packing.height) << "case " << n;
    const int64_t apart = Pack(blocks).height;
    EXPECT_LE(packing.height, apart) << "case " << n;
    lower += packing.height < apart ? 1 : 0;
  }
  EXPECT_GT(lower, 100);
}

TEST(CheckOverlappingTest, RefusesASmallerDistance) {
  const std::vector<Block> blocks = {{400, 0, 1, 1}, {400, 1, 2, 1}};
  const std::vector<BlockOverlap> overlaps = {{0, 1, 64}};
  EXPECT_TRUE(CheckOverlapping(blocks, overlaps, {64, 0}, 464).ok());
  EXPECT_FALSE(CheckOverlapping(blocks, overlaps, {63, 0}, 464).ok());
  EXPECT_FALSE(CheckOverlapping(blocks, overlaps, {0, 64}, 464).ok());
  EXPECT_FALSE(CheckOverlapping(blocks, {}, {64, 0}, 464).ok());
}

TEST(CheckOverlappingTest, RefusesAnInputThatIsUsedLater) {
  const std::vector<Block> blocks = {{400, 0, 2, 1}, {400, 1, 2, 1}};
  EXPECT_FALSE(CheckOverlapping(blocks, {{0, 1, 0}}, {0, 0}, 400).ok());
}

TEST(CheckOverlappingTest, RefusesOffsetsAboveTheHeightAndMisalignedOnes) {
  const std::vector<Block> blocks = {{400, 0, 1, 8}};
  EXPECT_TRUE(CheckOverlapping(blocks, {}, {8}, 408).ok());
  EXPECT_FALSE(CheckOverlapping(blocks, {}, {8}, 407).ok());
  EXPECT_FALSE(CheckOverlapping(blocks, {}, {4}, 408).ok());
}

}  // namespace
}  // namespace lathe::plan
