// Other programs of the machine: compilers, emulators.
#ifndef LATHE_SUPPORT_RUN_COMMAND_H_
#define LATHE_SUPPORT_RUN_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace lathe {

struct CommandResult {
  int exit_code = 0;   // 128 + the signal, when one ended it
  std::string output;  // standard output and error, in the order they came
};

// What ends a program that does not end by itself.
struct CommandEnd {
  int seconds = 0;   // 0: it may take as long as it takes
  std::string said;  // once its output holds this; then the exit code is 0
};

// Runs `words[0]`, found as a shell would find it, with the rest as its arguments; no shell is in
// between, and nothing is there for it to read. Fails with NotFound when there is no such program,
// with DeadlineExceeded when its time was up.
absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& words,
                                         const CommandEnd& end = {});

}  // namespace lathe

#endif  // LATHE_SUPPORT_RUN_COMMAND_H_
