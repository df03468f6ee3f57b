#include "generator/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

extern char** environ;

namespace lathe {
namespace {

struct Child {
  pid_t id = 0;
  int output = -1;
};

absl::StatusOr<Child> Start(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::UnavailableError(absl::StrCat("cannot make a pipe: ", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Child child;
  const int error = posix_spawnp(&child.id, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child.output = ends[0];
  if (error == 0) return child;
  close(ends[0]);
  const std::string what = absl::StrCat("cannot run '", words[0], "': ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(what) : absl::UnavailableError(what);
}

enum class Ending { kByItself, kSaid, kTooLate };

Ending Read(int from, const CommandEnd& end, std::string& output) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point last = Clock::now() + std::chrono::seconds(end.seconds);
  char chunk[4096];
  for (;;) {
    pollfd waiting = {from, POLLIN, 0};
    int patience = -1;
    if (end.seconds > 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - Clock::now());
      if (left.count() <= 0) return Ending::kTooLate;
      patience = static_cast<int>(left.count()) + 1;
    }
    if (poll(&waiting, 1, patience) <= 0) continue;
    const ssize_t got = read(from, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Ending::kByItself;
    output.append(chunk, static_cast<size_t>(got));
    if (!end.said.empty() && absl::StrContains(output, end.said)) return Ending::kSaid;
  }
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& words,
                                         const CommandEnd& end) {
  LATHE_ASSIGN_OR_RETURN(const Child child, Start(words));
  CommandResult result;
  const Ending ending = Read(child.output, end, result.output);
  if (ending != Ending::kByItself) kill(child.id, SIGKILL);
  close(child.output);
  int status = 0;
  while (waitpid(child.id, &status, 0) < 0 && errno == EINTR) {
  }
  if (ending == Ending::kTooLate) {
    return absl::DeadlineExceededError(
        absl::StrCat("'", words[0], "' did not end within ", end.seconds, " seconds"));
  }
  if (ending == Ending::kSaid) return result;
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace lathe
