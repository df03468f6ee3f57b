#include "generator/schedule/cuda/column_shape.h"

#include "gmock/gmock.h"

namespace lathe::schedule {
namespace {

GpuChoice Hopper() { return *ReadGpus("cuda:sm_90a"); }

TEST(ColumnShapeTest, NeighboursFillLinesOfTheCache) {
  EXPECT_EQ(ChooseColumnShape(8192, 8192, 32, Hopper())->across, 32);
  EXPECT_EQ(ChooseColumnShape(8192, 8192, 16, Hopper())->across, 64);
  EXPECT_EQ(ChooseColumnShape(8192, 8192, 64, Hopper())->across, 16);
  EXPECT_EQ(ChooseColumnShape(5, 8192, 32, Hopper())->across, 8);
}

TEST(ColumnShapeTest, FewLongColumnsAreSharedByBlocks) {
  const auto few = ChooseColumnShape(128, 65536, 32, Hopper());
  EXPECT_EQ(few->across * few->down, 512);
  EXPECT_GE(few->parts, 32);
  EXPECT_EQ(ChooseColumnShape(128, 512, 32, Hopper())->parts, 1);
  EXPECT_GT(ChooseColumnShape(128, std::nullopt, 32, Hopper())->parts, 1);
  // How much memory the parts take has to be known.
  EXPECT_EQ(ChooseColumnShape(std::nullopt, 65536, 32, Hopper())->parts, 1);
}

TEST(ColumnShapeTest, ManyOrShortColumnsUseAThreadEach) {
  EXPECT_FALSE(ChooseColumnShape(1 << 20, 1024, 32, Hopper()).has_value());
  EXPECT_FALSE(ChooseColumnShape(1024, 7, 32, Hopper()).has_value());
  EXPECT_FALSE(ChooseColumnShape(0, 1024, 32, Hopper()).has_value());
  EXPECT_FALSE(ChooseColumnShape(1024, 1024, 4, Hopper()).has_value());
}

}  // namespace
}  // namespace lathe::schedule
