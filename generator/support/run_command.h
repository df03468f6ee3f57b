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

// Runs `words[0]`, found as a shell would find it, with the rest as its arguments; no shell is in
// between. Fails when it cannot be started.
absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& words);

}  // namespace lathe

#endif  // LATHE_SUPPORT_RUN_COMMAND_H_
