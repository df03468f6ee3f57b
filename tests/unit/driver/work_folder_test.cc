// Tests that a signal removes the temporary folder of a verb and ends the program that it runs.
#include "generator/driver/report/work_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);

// Returns true once `condition` holds.
template <typename F>
bool Eventually(const F& condition) {
  const absl::Time end = absl::Now() + kPatience;
  while (!condition()) {
    if (absl::Now() > end) return false;
    absl::SleepFor(absl::Milliseconds(20));
  }
  return true;
}

// Waits in a verb for a program that writes the temporary folder and its own number to "started".
[[noreturn]] void RunVerb() {
  const WorkFolder folder("");
  const std::string script =
      absl::StrCat("echo ", folder.path(), " $$ > starting; touch ", folder.path(),
                   "/file; mv starting started; exec sleep 600");
  (void)RunCommand({"sh", "-c", script});
  _exit(1);
}

class WorkFolderTest : public ::testing::TestWithParam<int> {
 protected:
  // Starts a process that runs the verb and waits until its program runs.
  void Start() {
    process_ = fork();
    ASSERT_GE(process_, 0);
    if (process_ == 0) RunVerb();
    ASSERT_TRUE(Eventually([] { return std::filesystem::exists("started"); }));
    const auto started = ReadFile("started");
    ASSERT_THAT(started, IsOk());
    const std::pair<std::string, std::string> words =
        absl::StrSplit(absl::StripTrailingAsciiWhitespace(*started), ' ');
    folder_ = words.first;
    ASSERT_TRUE(absl::SimpleAtoi(words.second, &program_));
    ASSERT_TRUE(std::filesystem::exists(folder_));
  }

  int EndBySignal() const {
    kill(process_, GetParam());
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

  bool ProgramEnds() const {
    return Eventually([this] { return kill(program_, 0) != 0 && errno == ESRCH; });
  }

  const ScratchDirectory scratch_;
  pid_t process_ = 0;
  int program_ = 0;
  std::string folder_;
};

TEST_P(WorkFolderTest, SignalsRemoveTheFolderAndEndTheProgram) {
  Start();
  EXPECT_EQ(EndBySignal(), GetParam());
  EXPECT_TRUE(ProgramEnds());
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

INSTANTIATE_TEST_SUITE_P(Signals, WorkFolderTest, ::testing::Values(SIGHUP, SIGINT, SIGTERM));

using KilledWorkFolderTest = WorkFolderTest;

TEST_P(KilledWorkFolderTest, KilledProcessesEndTheProgram) {
  Start();
  EXPECT_EQ(EndBySignal(), GetParam());
  EXPECT_TRUE(ProgramEnds());
  std::filesystem::remove_all(folder_);  // SIGKILL leaves no time for it
}

INSTANTIATE_TEST_SUITE_P(Signals, KilledWorkFolderTest, ::testing::Values(SIGKILL));

// A signal that arrives while the folder is removed at the end of a verb is not lost.
TEST(EndingWorkFolderTest, SignalsEndTheProcess) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
      const pid_t process = fork();
      ASSERT_GE(process, 0);
      if (process == 0) {
        {
          const WorkFolder folder("");
          kill(getpid(), signal);
        }
        _exit(0);
      }
      int status = 0;
      ASSERT_EQ(waitpid(process, &status, 0), process);
      ASSERT_TRUE(WIFSIGNALED(status)) << "try " << i << ", signal " << signal;
      ASSERT_EQ(WTERMSIG(status), signal);
    }
  }
}

TEST(NamedWorkFolderTest, NamedFoldersStay) {
  const ScratchDirectory scratch;
  {
    const WorkFolder folder("named");
    std::filesystem::create_directory(folder.path());
  }
  EXPECT_TRUE(std::filesystem::exists("named"));
}

}  // namespace
}  // namespace lathe::driver
