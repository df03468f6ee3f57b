#include "generator/driver/estimate_time.h"

#include <set>
#include <string>

#include "generator/target/core_timing.h"
#include "generator/target/target.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

// A report of one convolution of int8: 1000 results of `macs` products in total.
ModelReport OneConvolution(std::optional<int64_t> macs, const std::string& size = "1000") {
  ModelReport report;
  const ir::TensorId result = report.tensors.Add({"y", "int8", {size}, 1000, std::nullopt});
  StepReport step;
  step.op = "conv2d";
  step.kernel = "net_conv2d";
  step.macs = macs;
  step.stores = 1000;
  step.flow.writes = {result};
  RoutineReport routine;
  routine.steps.push_back(step);
  report.routines.push_back(routine);
  return report;
}

TEST(CommonBoardsTest, HaveTargetsMemoryAndUniqueNames) {
  std::set<std::string> names;
  for (const CommonBoard& board : CommonBoards()) {
    EXPECT_TRUE(names.insert(std::string(board.name)).second) << board.name;
    EXPECT_NE(FindTarget(board.target), nullptr) << board.name;
    EXPECT_GE(board.ram, 2048) << board.name;
    EXPECT_GT(board.flash, board.ram) << board.name;
    EXPECT_GE(board.mhz, 16) << board.name;
    EXPECT_LE(board.mhz, 1000) << board.name;
    EXPECT_EQ(FindCommonBoard(board.name), &board);
  }
  EXPECT_GE(names.size(), 60u);
  EXPECT_EQ(FindCommonBoard("no-board"), nullptr);
}

TEST(EstimateTimeTest, GrowsWithTheWorkAndFallsWithTheClock) {
  const CommonBoard& slow = *FindCommonBoard("nucleo-f401re");
  const CommonBoard& fast = *FindCommonBoard("nucleo-f446re");
  const TimeRange small = *EstimateTime(OneConvolution(100'000), slow).range;
  const TimeRange large = *EstimateTime(OneConvolution(200'000), slow).range;
  const TimeRange faster = *EstimateTime(OneConvolution(100'000), fast).range;
  EXPECT_LT(small.low_ms, small.high_ms);
  EXPECT_GT(large.low_ms, small.low_ms * 1.5);
  EXPECT_NEAR(faster.low_ms * fast.mhz, small.low_ms * slow.mhz, 1e-9);
  EXPECT_NEAR(faster.high_ms * fast.mhz, small.high_ms * slow.mhz, 1e-9);
}

TEST(EstimateTimeTest, HasNoneForUnknownCoresAndSizes) {
  EXPECT_FALSE(EstimateTime(OneConvolution(1), *FindCommonBoard("esp32-devkitc")).range);
  const CommonBoard& board = *FindCommonBoard("nucleo-f401re");
  EXPECT_FALSE(EstimateTime(OneConvolution(std::nullopt), board).range);
  EXPECT_FALSE(EstimateTime(OneConvolution(1, "n"), board).range);
  EXPECT_FALSE(EstimateTime(OneConvolution(1, "n"), board).why_not.empty());
}

// Times that MLPerf Tiny publishes for comparable code (best and median submissions) are within the
// range for their board: instructions of DS-CNN that are counted for the core, at its clock.
TEST(CoreTimingTest, CoversPublishedTimes) {
  struct Published {
    const char* core;
    double instructions, mhz, ms;
  };
  for (const Published& row : {Published{"Cortex-M4F", 3.395e6, 120, 43.19},
                               {"Cortex-M4F", 12.296e6, 120, 165.13},
                               {"Cortex-M4F", 3.395e6, 120, 47.78},
                               {"Cortex-M33", 3.399e6, 160, 29.06},
                               {"Cortex-M33", 12.301e6, 160, 111.07},
                               {"Cortex-M7", 3.396e6, 280, 11.32},
                               {"Cortex-M7", 12.294e6, 280, 40.84}}) {
    const CoreTiming& timing = *FindCoreTiming(row.core);
    const double at_one_cycle = row.instructions / (row.mhz * 1000);
    EXPECT_GE(row.ms, at_one_cycle * timing.low()) << row.core;
    EXPECT_LE(row.ms, at_one_cycle * timing.high()) << row.core;
  }
}

}  // namespace
}  // namespace lathe::driver
