#include "generator/plan/check_packing.h"

#include <limits>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe::plan {
namespace {

using absl::StatusCode;
using ::testing::HasSubstr;

// Pair by pair, and nothing clever.
bool IsPacking(const std::vector<Block>& blocks, const std::vector<int64_t>& offsets,
               int64_t height) {
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& a = blocks[i];
    if (offsets[i] < 0 || offsets[i] % a.align != 0 || offsets[i] + a.size > height) return false;
    for (size_t j = 0; j < i; ++j) {
      const Block& b = blocks[j];
      if (a.size > 0 && b.size > 0 && a.first <= b.last && b.first <= a.last &&
          offsets[i] < offsets[j] + b.size && offsets[j] < offsets[i] + a.size) {
        return false;
      }
    }
  }
  return true;
}

std::vector<Block> RandomBlocks(std::mt19937& random, int count) {
  std::vector<Block> blocks;
  for (int i = 0; i < count; ++i) {
    const int first = static_cast<int>(random() % 30);
    const int last = first + static_cast<int>(random() % 8);
    const int64_t align = 4 << random() % 3;
    blocks.push_back({static_cast<int64_t>(random() % 100), first, last, align});
  }
  return blocks;
}

// One offset is changed, to any other place of the arena and around it. Some of those are packings
// too: the checker and the pairs have to agree, until 200 broken ones have been refused.
TEST(CheckPackingTest, Refuses200Of200PlansWithOneCorruptedOffset) {
  std::mt19937 random(7);
  int broken = 0;
  int harmless = 0;
  while (broken < 200) {
    const std::vector<Block> blocks = RandomBlocks(random, 60);
    const Packing packing = Pack(blocks, {.steps = 2'000});
    ASSERT_THAT(CheckPacking(blocks, packing.offsets, packing.height), IsOk());
    for (int k = 0; k < 10 && broken < 200; ++k) {
      std::vector<int64_t> offsets = packing.offsets;
      const size_t victim = random() % blocks.size();
      offsets[victim] = static_cast<int64_t>(random() % (packing.height + 32)) - 16;
      if (random() % 2 == 0) offsets[victim] -= offsets[victim] % blocks[victim].align;
      if (IsPacking(blocks, offsets, packing.height)) {
        ++harmless;
        EXPECT_THAT(CheckPacking(blocks, offsets, packing.height), IsOk());
      } else {
        ++broken;
        EXPECT_FALSE(CheckPacking(blocks, offsets, packing.height).ok());
      }
    }
  }
  EXPECT_LT(harmless, 200);
}

// Moved onto another block that is alive with it, each one is broken.
TEST(CheckPackingTest, RejectsEveryOverlap) {
  std::mt19937 random(8);
  int moved = 0;
  while (moved < 200) {
    const std::vector<Block> blocks = RandomBlocks(random, 60);
    const Packing packing = Pack(blocks, {.steps = 0});
    for (int k = 0; k < 200; ++k) {
      const size_t i = random() % blocks.size();
      const size_t j = random() % blocks.size();
      if (i == j || blocks[i].size == 0 || blocks[j].size == 0) continue;
      if (blocks[i].first > blocks[j].last || blocks[j].first > blocks[i].last) continue;
      ++moved;
      std::vector<int64_t> offsets = packing.offsets;
      offsets[i] = offsets[j];
      EXPECT_FALSE(CheckPacking(blocks, offsets, packing.height).ok());
    }
  }
}

TEST(CheckPackingTest, ReportsBlockAndOffset) {
  const std::vector<Block> blocks = {{16, 0, 4, 8}, {8, 3, 5, 8}};
  EXPECT_THAT(CheckPacking(blocks, {0, 16}, 24), IsOk());
  EXPECT_THAT(CheckPacking(blocks, {0, 8}, 24),
              StatusIs(StatusCode::kInternal, "blocks 0 and 1 share bytes 8 to 15 in step 3"));
  EXPECT_THAT(
      CheckPacking(blocks, {0, 17}, 32),
      StatusIs(StatusCode::kInternal, "block 1 has offset 17, which is not a multiple of 8"));
  EXPECT_THAT(CheckPacking(blocks, {-8, 16}, 24),
              StatusIs(StatusCode::kInternal, HasSubstr("block 0 has offset -8")));
  EXPECT_THAT(
      CheckPacking(blocks, {0, 16}, 23),
      StatusIs(StatusCode::kInternal, "block 1 of 8 bytes at offset 16 exceeds the height 23"));
  EXPECT_THAT(CheckPacking(blocks, {0}, 24),
              StatusIs(StatusCode::kInternal, "1 offsets for 2 blocks"));
}

TEST(CheckPackingTest, AnOffsetAtTheEndOfNumbersIsBeyondTheHeight) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(CheckPacking(std::vector<Block>{{8, 0, 0}}, {most}, 24).ok());
}

}  // namespace
}  // namespace lathe::plan
