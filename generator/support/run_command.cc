#include "generator/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

namespace lathe {
namespace {

struct Child {
  pid_t id = 0;
  int output = -1;
};

int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Connects the standard streams of this process, a fork.
bool StartFork(pid_t parent, int output) {
#ifdef __linux__
  // A killed parent, even by SIGKILL, ends its compilers and emulators.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  // A parent that ended before prctl sends no signal.
  return getppid() == parent && input >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
         dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
}

// Replaces this process, a fork, with `argv`. Reports a failure through `failed`.
[[noreturn]] void Execute(char* const* argv, int failed) {
  execvp(argv[0], argv);
  const int error = errno;
  (void)!write(failed, &error, sizeof error);
  _exit(127);
}

absl::Status NoPipe() {
  return absl::UnavailableError(absl::StrCat("cannot make a pipe: ", std::strerror(errno)));
}

// Returns the error of execvp, or 0 if the program started, which closes the pipe.
int ReadFailure(int from) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(from, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

// Forks. The child calls `run` with the file descriptor that reports a failure to start.
absl::StatusOr<Child> Start(const std::string& name, absl::FunctionRef<void(int)> run) {
  int ends[2], failed[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return NoPipe();
  if (pipe2(failed, O_CLOEXEC) != 0) {
    const absl::Status status = NoPipe();
    for (int end : ends) close(end);
    return status;
  }
  const pid_t parent = getpid();
  Child child;
  child.id = fork();
  if (child.id == 0) {
    if (StartFork(parent, ends[1])) run(failed[1]);
    _exit(127);
  }
  int error = child.id < 0 ? errno : 0;
  close(ends[1]);
  close(failed[1]);
  if (child.id > 0) error = ReadFailure(failed[0]);
  close(failed[0]);
  child.output = ends[0];
  if (error == 0) return child;
  close(ends[0]);
  if (child.id > 0) Wait(child.id);
  const std::string what = absl::StrCat("cannot run '", name, "': ", std::strerror(error));
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

absl::StatusOr<CommandResult> Finish(const Child& child, const std::string& name,
                                     const CommandEnd& end) {
  CommandResult result;
  const Ending ending = Read(child.output, end, result.output);
  if (ending != Ending::kByItself) kill(child.id, SIGKILL);
  close(child.output);
  const int status = Wait(child.id);
  if (ending == Ending::kTooLate) {
    return absl::DeadlineExceededError(
        absl::StrCat("'", name, "' did not end within ", end.seconds, " seconds"));
  }
  if (ending == Ending::kSaid) return result;
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& words,
                                         const CommandEnd& end) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  LATHE_ASSIGN_OR_RETURN(const Child child,
                         Start(words[0], [&](int failed) { Execute(argv.data(), failed); }));
  return Finish(child, words[0], end);
}

absl::StatusOr<CommandResult> RunInCopy(absl::FunctionRef<int()> body, const CommandEnd& end) {
  constexpr char kName[] = "lathe";
  std::fflush(nullptr);  // the copy would write the buffers again
  LATHE_ASSIGN_OR_RETURN(const Child child, Start(kName, [&](int failed) {
                           close(failed);
                           const int code = body();
                           std::fflush(nullptr);
                           _exit(code);
                         }));
  return Finish(child, kName, end);
}

}  // namespace lathe
