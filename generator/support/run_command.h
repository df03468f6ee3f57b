// Runs external programs, such as compilers and emulators, and copies of this process.
#ifndef LATHE_SUPPORT_RUN_COMMAND_H_
#define LATHE_SUPPORT_RUN_COMMAND_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace lathe {

struct CommandResult {
  int exit_code = 0;   // 128 + the signal, if one ended it
  std::string output;  // standard output and error, interleaved
};

// Conditions that end a program which does not exit by itself.
struct CommandEnd {
  int seconds = 0;   // 0: no time limit
  std::string said;  // end it once its output contains this; the exit code is then 0
};

// Runs `words[0]`, searched in PATH, with the remaining words as arguments, without a shell and
// with empty standard input. On Linux, the program ends with this process. Fails with NotFound if
// there is no such program, with Unavailable if it cannot be started, and with DeadlineExceeded
// after the time limit.
absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& words,
                                         const CommandEnd& end = {});

// Runs `body` in a copy of this process, which ends with its result as the exit code, so that a
// crash of it does not end this process. Standard streams and limits are as for RunCommand.
absl::StatusOr<CommandResult> RunInCopy(absl::FunctionRef<int()> body, const CommandEnd& end = {});

}  // namespace lathe

#endif  // LATHE_SUPPORT_RUN_COMMAND_H_
