#include "generator/driver/validate/step_log.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(StepLogTest, ReadsPairsAndNamedSteps) {
  const auto log = ReadStepLog("step 2 100\r\n2 120\n\n  step\t0   7 \nboot 1\nready\n1 2 3\n", 3);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_THAT(log->ticks, ElementsAre(Pair(0, ElementsAre(7)), Pair(2, ElementsAre(100, 120))));
  EXPECT_EQ(log->other_lines, 3);
}

TEST(StepLogTest, CountsLinesThatAreNoSteps) {
  for (const char* line : {"step", "step 1", "step one 2", "step 1 2 3", "step 1 -2", "step 1 0x10",
                           "step motor ok", "step: 1 2", "20240101 120000", "3 1",
                           "99999999999999999999 1", "0 99999999999999999999"}) {
    const auto log = ReadStepLog(std::string("boot\n") + line + "\nstep 1 5\n", 3);
    ASSERT_TRUE(log.ok()) << line << ": " << log.status();
    EXPECT_THAT(log->ticks, ElementsAre(Pair(1, ElementsAre(5)))) << line;
    EXPECT_EQ(log->other_lines, 2) << line;
  }
}

TEST(StepLogTest, RefusesNamedStepsOfAnotherModelAndLargeNumbers) {
  EXPECT_THAT(ReadStepLog("boot\nstep 3 1\n", 3).status().message(),
              HasSubstr("line 2 of the log: the function has steps 0 to 2"));
  EXPECT_THAT(ReadStepLog("step 99999999999999999999 1\n", 3).status().message(),
              HasSubstr("steps 0 to 2"));
  EXPECT_THAT(ReadStepLog("step 0 99999999999999999999\n", 3).status().message(),
              HasSubstr("at most 64 bits"));
  EXPECT_TRUE(ReadStepLog("0 18446744073709551615\n", 1).ok());
}

TEST(StepLogTest, RefusesALogWithoutSteps) {
  for (const char* text : {"", "\n\n", "ready\n", "step 1\n", "3 1\n"}) {
    EXPECT_THAT(ReadStepLog(text, 3).status().message(), HasSubstr("has no line")) << text;
  }
}

TEST(StepLogTest, TakesTheMedian) {
  EXPECT_EQ(MedianOf({5}), 5);
  EXPECT_EQ(MedianOf({9, 1, 5}), 5);
  EXPECT_EQ(MedianOf({9, 1, 5, 6}), 5.5);
}

}  // namespace
}  // namespace lathe::driver
