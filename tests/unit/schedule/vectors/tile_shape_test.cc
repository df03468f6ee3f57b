#include "generator/schedule/vectors/tile_shape.h"

#include <optional>

#include "gtest/gtest.h"

namespace lathe::schedule {
namespace {

TEST(TileShapeTest, LanesFollowTheUnitForFloat) {
  EXPECT_EQ(LanesOf(*FindTarget("x86-64-v3")), 8);
  EXPECT_EQ(LanesOf(*FindTarget("cortex-m4f")), 1);
  EXPECT_EQ(LanesOf(*FindTarget("cortex-m55")), 4);
  EXPECT_EQ(LanesOf(*FindTarget("cortex-m4")), 0);
  EXPECT_EQ(LanesOf(*FindTarget("generic-c99")), 0);
}

// The sums, the columns of a step and one factor are in registers.
TEST(TileShapeTest, ScalarTilesFitRegisters) {
  const Target& target = *FindTarget("cortex-m4f");
  for (int64_t columns = 1; columns <= 40; ++columns) {
    for (int64_t rows = -1; rows <= 20; ++rows) {
      SumSize size;
      if (rows > 0) size.rows = rows;
      size.columns = columns;
      size.depth = 9;
      const SumTile tile = ChooseTile(target, size);
      ASSERT_GE(tile.rows, 1) << rows << " x " << columns;
      ASSERT_GE(tile.vectors, 1) << rows << " x " << columns;
      ASSERT_LE(tile.rows * tile.vectors + tile.vectors + 1, target.float_registers);
      ASSERT_EQ(tile.block, size.depth);
    }
  }
}

// Two columns of 4 bits share a byte, and the scales of the columns stay in registers too.
TEST(TileShapeTest, TilesOfIntegersFitRegisters) {
  for (const char* name : {"cortex-m4f", "cortex-m55", "x86-64", "x86-64-v4"}) {
    const Target& target = *FindTarget(name);
    for (int64_t columns = 1; columns <= 40; ++columns) {
      for (int64_t rows = 1; rows <= 20; ++rows) {
        SumSize size;
        size.rows = rows;
        size.columns = columns;
        size.depth = 9;
        size.has_integers = size.in_pairs = true;
        const SumTile tile = ChooseTile(target, size);
        ASSERT_GE(tile.rows, 1) << name << " " << rows << " x " << columns;
        ASSERT_GE(tile.vectors, 2) << name << " " << rows << " x " << columns;
        ASSERT_EQ(tile.vectors % 2, 0) << name << " " << rows << " x " << columns;
        if (LanesOf(target) > 1) continue;
        ASSERT_LE(tile.rows * tile.vectors + 2 * tile.vectors + 1, target.float_registers);
      }
    }
  }
}

// Helium multiplies by factors in scalar registers; gcc needs one vector register for itself.
TEST(TileShapeTest, HeliumTilesFitRegisters) {
  const Target& target = *FindTarget("cortex-m55");
  for (int64_t columns = 1; columns <= 40; ++columns) {
    for (int64_t rows = -1; rows <= 20; ++rows) {
      SumSize size;
      if (rows > 0) size.rows = rows;
      size.columns = columns;
      size.depth = 9;
      const SumTile tile = ChooseTile(target, size);
      ASSERT_GE(tile.rows, 1) << rows << " x " << columns;
      ASSERT_GE(tile.vectors, 1) << rows << " x " << columns;
      ASSERT_LT(tile.rows * tile.vectors + tile.vectors, target.vector_registers);
    }
  }
}

TEST(TileShapeTest, ScalarTilesPreferWholePanels) {
  SumSize size;
  size.rows = 64;
  size.columns = 12;
  size.depth = 9;
  const SumTile tile = ChooseTile(*FindTarget("cortex-m4f"), size);
  EXPECT_EQ(tile.rows, 4);
  EXPECT_EQ(tile.vectors, 4);
}

}  // namespace
}  // namespace lathe::schedule
