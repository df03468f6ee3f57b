// Blocks side by side with guards between.
#include "generator/plan/pack_guarded.h"

#include "generator/plan/check_packing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"

namespace lathe::plan {
namespace {

using ::testing::ElementsAre;

TEST(PackGuardedTest, GuardedBlocksNeverShareBytes) {
  const std::vector<Block> blocks = {{60, 0, 1, 16}, {0, 2, 3, 16}, {5, 4, 4, 16}};
  const Packing packing = PackGuarded(blocks, 64);
  EXPECT_THAT(packing.offsets, ElementsAre(64, 192, 256));
  EXPECT_EQ(packing.height, 336);
  EXPECT_THAT(CheckPacking(blocks, packing.offsets, packing.height), IsOk());
}

TEST(PackGuardedTest, EmptyBlocksNeedNoGuard) { EXPECT_EQ(PackGuarded({}, 64).height, 0); }

}  // namespace
}  // namespace lathe::plan
