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

// Each step of a long chain has two live blocks; nothing may look at all pairs.
TEST(PackOverlappingTest, LongChainsArePacked) {
  std::vector<Block> blocks;
  std::vector<BlockOverlap> overlaps;
  for (int i = 0; i < 20'000; ++i) {
    blocks.push_back({800 + 8 * (i % 5), i, i + 1, 8});
    if (i > 0) overlaps.push_back({static_cast<size_t>(i - 1), static_cast<size_t>(i), 0});
  }
  const Packing packing = PackOverlapping(blocks, overlaps);
  EXPECT_EQ(packing.height, 832);
  EXPECT_TRUE(CheckOverlapping(blocks, overlaps, packing.offsets, packing.height).ok());
}

// The pairs of all blocks, one by one.
bool MayShare(const std::vector<Block>& blocks, const std::vector<BlockOverlap>& overlaps,
              const std::vector<int64_t>& offsets) {
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (size_t j = 0; j < blocks.size(); ++j) {
      const bool shares = i != j && offsets[i] < offsets[j] + blocks[j].size &&
                          offsets[j] < offsets[i] + blocks[i].size &&
                          AliveTogether(blocks[i], blocks[j]) && blocks[i].size > 0 &&
                          blocks[j].size > 0;
      const bool allowed =
          std::any_of(overlaps.begin(), overlaps.end(), [&](const BlockOverlap& o) {
            const bool named = (o.read == i && o.written == j) || (o.read == j && o.written == i);
            return named && offsets[o.read] - offsets[o.written] >= o.distance;
          });
      if (shares && !allowed) return false;
    }
  }
  return true;
}

TEST(CheckOverlappingTest, AgreesWithAllPairs) {
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int valid = 0;
  for (int n = 0; n < 3000; ++n) {
    std::vector<Block> blocks;
    std::vector<int64_t> offsets;
    std::vector<BlockOverlap> overlaps;
    for (int i = 0; i < 4; ++i) {
      const int first = below(4);
      blocks.push_back({below(4) * 8, first, first + 1 + below(2), 8});
      offsets.push_back(8 * below(8));
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (size_t j = 0; j < blocks.size(); ++j) {
        if (blocks[i].last == blocks[j].first) overlaps.push_back({i, j, 8 * below(3)});
      }
    }
    const bool ok = CheckOverlapping(blocks, overlaps, offsets, 1000).ok();
    EXPECT_EQ(ok, MayShare(blocks, overlaps, offsets)) << "case " << n;
    valid += ok ? 1 : 0;
  }
  EXPECT_GT(valid, 300);
  EXPECT_LT(valid, 2700);
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
