#include "generator/plan/pack.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "generator/plan/check_packing.h"
#include "generator/plan/peak.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Numbers that are the same with every standard library, unlike its distributions.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  int Below(int count) { return static_cast<int>(engine_() % static_cast<uint32_t>(count)); }

 private:
  std::mt19937 engine_;
};

std::vector<Block> RandomBlocks(Dice& dice, int count, int steps, int sizes) {
  std::vector<Block> blocks;
  const bool is_aligned = dice.Below(2) == 1;
  for (int i = 0; i < count; ++i) {
    const int first = dice.Below(steps);
    const int last = std::min(steps - 1, first + dice.Below(steps));
    const int64_t align = is_aligned ? int64_t{1} << dice.Below(3) : 1;
    blocks.push_back({dice.Below(sizes), first, last, align});
  }
  return blocks;
}

bool ShareAStep(const Block& a, const Block& b) { return a.first <= b.last && b.first <= a.last; }

// Every block at every offset below `capacity`: no thought, so no thinking error.
bool FitsBelow(const std::vector<Block>& blocks, int64_t capacity, std::vector<int64_t>& offsets) {
  const size_t i = offsets.size();
  if (i == blocks.size()) return true;
  for (int64_t at = 0; at + blocks[i].size <= capacity; at += blocks[i].align) {
    bool is_free = true;
    for (size_t j = 0; j < i && is_free; ++j) {
      is_free = !ShareAStep(blocks[i], blocks[j]) || at + blocks[i].size <= offsets[j] ||
                offsets[j] + blocks[j].size <= at || blocks[i].size == 0 || blocks[j].size == 0;
    }
    if (!is_free) continue;
    offsets.push_back(at);
    const bool fits = FitsBelow(blocks, capacity, offsets);
    offsets.pop_back();
    if (fits) return true;
  }
  return false;
}

int64_t LowestHeight(const std::vector<Block>& blocks) {
  int64_t height = FindPeak(blocks).bytes;
  std::vector<int64_t> offsets;
  while (!FitsBelow(blocks, height, offsets)) ++height;
  return height;
}

TEST(PackTest, IsOptimalForSmallCases) {
  Dice dice(1);
  int above_peak = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Block> blocks = RandomBlocks(dice, 1 + dice.Below(7), 1 + dice.Below(7), 6);
    const Packing packing = Pack(blocks);
    ASSERT_THAT(CheckPacking(blocks, packing.offsets, packing.height), IsOk());
    ASSERT_EQ(packing.height, LowestHeight(blocks)) << "round " << round;
    ASSERT_EQ(packing.lower_bound, packing.height) << "round " << round;
    ASSERT_TRUE(packing.optimal);
    above_peak += packing.height > FindPeak(blocks).bytes;
  }
  EXPECT_GT(above_peak, 20);  // or nothing was proved here
}

TEST(PackTest, WithoutStepsItIsStillAPacking) {
  Dice dice(2);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Block> blocks = RandomBlocks(dice, 60, 30, 1000);
    const Packing quick = Pack(blocks, {.steps = 0});
    EXPECT_EQ(quick.steps, 0);
    ASSERT_THAT(CheckPacking(blocks, quick.offsets, quick.height), IsOk());
    EXPECT_GE(quick.height, quick.lower_bound);
    EXPECT_GE(quick.lower_bound, FindPeak(blocks).bytes);
  }
}

TEST(PackTest, SearchIsNeverHigherAndKeepsItsLimit) {
  Dice dice(3);
  int lower = 0;
  for (int round = 0; round < 40; ++round) {
    const std::vector<Block> blocks = RandomBlocks(dice, 60, 30, 1000);
    const Packing quick = Pack(blocks, {.steps = 0});
    const Packing searched = Pack(blocks, {.steps = 50'000});
    ASSERT_THAT(CheckPacking(blocks, searched.offsets, searched.height), IsOk());
    EXPECT_LE(searched.height, quick.height);
    EXPECT_LE(searched.steps, 50'000 + 10'000);  // what was begun is ended
    lower += searched.height < quick.height;
  }
  EXPECT_GT(lower, 2);
}

TEST(PackTest, TheSameBlocksGiveTheSamePacking) {
  Dice dice(4);
  for (int round = 0; round < 8; ++round) {
    const std::vector<Block> blocks = RandomBlocks(dice, 80, 40, 5000);
    const Packing once = Pack(blocks, {.steps = 50'000});
    const Packing again = Pack(blocks, {.steps = 50'000});
    EXPECT_EQ(once.offsets, again.offsets);
    EXPECT_EQ(once.steps, again.steps);
  }
}

TEST(PackTest, EmptyBlocksTakeNoBytes) {
  EXPECT_THAT(Pack({}).offsets, IsEmpty());
  EXPECT_EQ(Pack({}).height, 0);
  const std::vector<Block> blocks = {{0, 0, 9}, {8, 3, 3}, {0, 3, 3, 64}};
  const Packing packing = Pack(blocks);
  EXPECT_EQ(packing.height, 8);
  EXPECT_THAT(packing.offsets, ElementsAre(0, 0, 0));
  EXPECT_THAT(CheckPacking(blocks, packing.offsets, packing.height), IsOk());
}

TEST(PackTest, DisjointLifetimesShareBytes) {
  const std::vector<Block> blocks = {{8, 0, 0}, {16, 1, 1}, {4, 2, 2}};
  EXPECT_THAT(Pack(blocks).offsets, ElementsAre(0, 0, 0));
  EXPECT_EQ(Pack(blocks).height, 16);
}

TEST(PackTest, LifetimesThatOverlapInOneStepDoNotShare) {
  const Packing packing = Pack(std::vector<Block>{{8, 0, 1}, {16, 1, 2}});
  EXPECT_EQ(packing.height, 24);
}

TEST(PackTest, PaddingIsPartOfTheBoundButNotAboveTheTopmost) {
  const std::vector<Block> blocks = {{3, 0, 0, 16}, {5, 0, 0, 16}, {1, 0, 0, 16}};
  const Packing packing = Pack(blocks);
  EXPECT_EQ(packing.height, 33);
  EXPECT_TRUE(packing.optimal);
}

TEST(PackTest, NonDividingAlignments) {
  const std::vector<Block> blocks = {{3, 0, 0, 6}, {5, 0, 0, 10}, {1, 0, 0, 15}};
  const Packing packing = Pack(blocks);
  EXPECT_THAT(CheckPacking(blocks, packing.offsets, packing.height), IsOk());
  EXPECT_EQ(packing.height, LowestHeight(blocks));
}

TEST(PackTest, ACapacityIsEnough) {
  Dice dice(5);
  const std::vector<Block> blocks = RandomBlocks(dice, 100, 50, 1000);
  const int64_t sum = 100 * 1000;
  const Packing packing = Pack(blocks, {.capacity = sum});
  EXPECT_EQ(packing.steps, 0);
  EXPECT_LE(packing.height, sum);
}

TEST(PackTest, RejectsOverflow) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(CheckBlocks(std::vector<Block>{{8, 0, 0, 64}}), IsOk());
  for (const Block& bad : {Block{-1, 0, 0}, Block{1, 1, 0}, Block{1, 0, 0, 0}, Block{most, 0, 0},
                           Block{1, 0, 0, most}, Block{1, 0, std::numeric_limits<int>::max()}}) {
    EXPECT_FALSE(CheckBlocks(std::vector<Block>{bad}).ok());
  }
  EXPECT_FALSE(CheckBlocks(std::vector<Block>(3, Block{int64_t{1} << 59, 0, 0})).ok());
}

// A chain with short cuts, as long programs are: pairs alive together grow with its length, and
// whatever is done for each pair of blocks would show.
TEST(PackTest, TenThousandBlocks) {
  Dice dice(6);
  std::vector<Block> chain;
  for (int i = 0; i < 10'000; ++i) {
    const int reach = dice.Below(10) == 0 ? dice.Below(40) : 1;
    chain.push_back({64 * (1 + dice.Below(100)), i, i + 1 + reach, 64});
  }
  const Packing packing = Pack(chain, {.steps = 0});
  EXPECT_THAT(CheckPacking(chain, packing.offsets, packing.height), IsOk());

  std::vector<Block> together;
  for (int i = 0; i < 10'000; ++i) together.push_back({1 + dice.Below(100), i % 7, 10 + i % 11, 8});
  const Packing stacked = Pack(together);
  EXPECT_THAT(CheckPacking(together, stacked.offsets, stacked.height), IsOk());
}

}  // namespace
}  // namespace lathe::plan
