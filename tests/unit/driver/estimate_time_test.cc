#include "generator/driver/estimate_time.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

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
  routine.name = "main";
  routine.exported = true;
  routine.steps.push_back(step);
  report.routines.push_back(routine);
  report.callees_first = {ir::RoutineId{0}};
  return report;
}

// Adds an exported function with `steps`, and a private one that runs the convolution of `main`.
ModelReport WithCaller(std::vector<StepReport> steps) {
  ModelReport report = OneConvolution(100'000);
  report.routines[0].exported = false;
  report.routines[0].name = "callee";
  RoutineReport caller;
  caller.name = "main";
  caller.exported = true;
  caller.steps = std::move(steps);
  report.routines.push_back(caller);
  report.callees_first = {ir::RoutineId{0}, ir::RoutineId{1}};
  return report;
}

StepReport CallOfCallee() {
  StepReport call;
  call.macs = 100'000;
  call.callee = ir::RoutineId{0};
  return call;
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

TEST(EstimateTimeTest, CountsACalleeForEachCall) {
  const CommonBoard& board = *FindCommonBoard("nucleo-f401re");
  const TimeRange once = *EstimateTime(OneConvolution(100'000), board).range;
  const TimeEstimate three =
      EstimateTime(WithCaller({CallOfCallee(), CallOfCallee(), CallOfCallee()}), board);
  ASSERT_TRUE(three.range) << three.why_not;
  EXPECT_EQ(three.function, "main");
  EXPECT_NEAR(three.range->low_ms, 3 * once.low_ms, 1e-9);
  EXPECT_NEAR(three.range->high_ms, 3 * once.high_ms, 1e-9);
}

TEST(EstimateTimeTest, CoversBothSidesOfABranch) {
  const CommonBoard& board = *FindCommonBoard("nucleo-f401re");
  const TimeRange once = *EstimateTime(OneConvolution(100'000), board).range;
  StepReport branch;
  branch.macs = 0;
  branch.then_steps = 1;
  branch.else_steps = 2;
  const TimeEstimate both = EstimateTime(
      WithCaller({CallOfCallee(), branch, CallOfCallee(), CallOfCallee(), CallOfCallee()}), board);
  ASSERT_TRUE(both.range) << both.why_not;
  EXPECT_NEAR(both.range->low_ms, 2 * once.low_ms, 1e-9);
  EXPECT_NEAR(both.range->high_ms, 3 * once.high_ms, 1e-9);
}

TEST(EstimateTimeTest, IsOfTheFunctionThatTakesLongest) {
  const CommonBoard& board = *FindCommonBoard("nucleo-f401re");
  ModelReport report = WithCaller({CallOfCallee(), CallOfCallee()});
  report.routines[0].exported = true;
  const TimeEstimate longest = EstimateTime(report, board);
  EXPECT_EQ(longest.function, "main");
  EXPECT_NEAR(longest.range->low_ms, 2 * EstimateTime(OneConvolution(100'000), board).range->low_ms,
              1e-9);
  report.routines[1].steps.clear();
  EXPECT_EQ(EstimateTime(report, board).function, "callee");
}

TEST(EstimateTimeTest, HasNoneForUnknownWork) {
  const CommonBoard& board = *FindCommonBoard("nucleo-f401re");
  ModelReport repeats = WithCaller({CallOfCallee()});
  repeats.routines[0].repeats = true;
  EXPECT_EQ(EstimateTime(repeats, board).why_not,
            "'callee' repeats its steps as often as data says");
  ModelReport external = OneConvolution(1);
  external.routines[0].steps[0].calls_external = true;
  EXPECT_EQ(EstimateTime(external, board).why_not, "'main' calls functions of unknown work");
  for (int64_t macs : {0, 1}) {
    ModelReport stores = OneConvolution(macs);
    stores.routines[0].steps[0].stores.reset();
    EXPECT_EQ(EstimateTime(stores, board).why_not,
              "the work of a step of 'main' depends on sizes or data");
  }
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
