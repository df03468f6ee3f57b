#include "generator/support/run_command.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

TEST(RunCommandTest, ReturnsOutputAndExitCode) {
  const auto ran = RunCommand({"sh", "-c", "echo out; echo err >&2; cat; exit 3"});
  ASSERT_THAT(ran, IsOk());
  EXPECT_EQ(ran->exit_code, 3);
  EXPECT_EQ(ran->output, "out\nerr\n");
  const auto killed = RunCommand({"sh", "-c", "kill -9 $$"});
  ASSERT_THAT(killed, IsOk());
  EXPECT_EQ(killed->exit_code, 128 + 9);
}

TEST(RunCommandTest, ReportsMissingPrograms) {
  const auto ran = RunCommand({"lathe-has-no-such-program"});
  EXPECT_EQ(ran.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ran.status().message()), HasSubstr("'lathe-has-no-such-program'"));
}

TEST(RunCommandTest, StopsAtTheTimeLimit) {
  const auto late = RunCommand({"sleep", "600"}, {.seconds = 1});
  EXPECT_EQ(late.status().code(), absl::StatusCode::kDeadlineExceeded);
  const auto said = RunCommand({"sh", "-c", "echo done; exec sleep 600"}, {.said = "done\n"});
  ASSERT_THAT(said, IsOk());
  EXPECT_EQ(said->exit_code, 0);
  EXPECT_EQ(said->output, "done\n");
}

TEST(RunCommandTest, SurvivesACrashOfItsCopy) {
  int changed = 0;
  const auto ran = RunInCopy([&] {
    changed = 1;
    std::printf("out\n");
    return 7;
  });
  ASSERT_THAT(ran, IsOk());
  EXPECT_EQ(ran->exit_code, 7);
  EXPECT_EQ(ran->output, "out\n");
  EXPECT_EQ(changed, 0);
  const auto killed = RunInCopy([]() -> int {
    raise(SIGKILL);
    return 0;
  });
  ASSERT_THAT(killed, IsOk());
  EXPECT_EQ(killed->exit_code, 128 + 9);
  const auto late = RunInCopy(
      [] {
        for (;;) pause();
        return 0;
      },
      {.seconds = 1});
  EXPECT_EQ(late.status().code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace lathe
