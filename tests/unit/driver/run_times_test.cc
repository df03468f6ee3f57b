#include "generator/driver/validate/run_times.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr char kPrinted[] =
    "device: GPU 9\nworkspace: 256\ncaptured: 1\nrun: 0.003\nrun: 0.001\nrun: 0.002\nrun: 0.010\n";

TEST(RunTimesTest, ParsesTheOutput) {
  const auto times = ReadRunTimes(kPrinted);
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->device, "GPU 9");
  EXPECT_EQ(times->workspace, 256u);
  EXPECT_TRUE(times->captured);
  EXPECT_THAT(times->each, ::testing::ElementsAre(3, 1, 2, 10));
}

TEST(RunTimesTest, RejectsOtherLines) {
  for (const char* printed : {"", "device: GPU 9\n", "run: soon\n", "what else\nrun: 1\n"}) {
    EXPECT_FALSE(ReadRunTimes(printed).ok()) << printed;
  }
}

// The smallest time that so many of a hundred are not above.
TEST(RunTimesTest, PercentilesAreMeasuredTimes) {
  const RunTimes times = *ReadRunTimes(kPrinted);
  EXPECT_EQ(Percentile(times, 0), 1);
  EXPECT_EQ(Percentile(times, 25), 1);
  EXPECT_EQ(Percentile(times, 26), 2);
  EXPECT_EQ(Percentile(times, 50), 2);
  EXPECT_EQ(Percentile(times, 90), 10);
  EXPECT_EQ(Percentile(times, 100), 10);
}

TEST(RunTimesTest, PrintsTextAndJson) {
  const RunTimes times = *ReadRunTimes(kPrinted);
  EXPECT_EQ(RenderRunTimes(times, "main"),
            "main on GPU 9, from a CUDA graph\n"
            "  median               2.0 us\n"
            "  least                1.0 us\n"
            "  90 of 100           10.0 us\n"
            "  runs                   4\n"
            "  workspace            256 B\n");
  const auto json = nlohmann::json::parse(RenderRunTimesAsJson(times, "main"));
  EXPECT_EQ(json["function"], "main");
  EXPECT_EQ(json["device"], "GPU 9");
  EXPECT_EQ(json["cuda_graph"], true);
  EXPECT_EQ(json["runs"], 4);
  EXPECT_EQ(json["median_us"], 2);
  EXPECT_EQ(json["least_us"], 1);
  EXPECT_EQ(json["p90_us"], 10);
  EXPECT_EQ(json["workspace_bytes"], 256);
  EXPECT_EQ(json["each_us"].size(), 4u);
}

}  // namespace
}  // namespace lathe::driver
