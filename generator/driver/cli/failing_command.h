// Runs the command that a program fails for: a verb of lathe, or a command of the user.
#ifndef LATHE_DRIVER_CLI_FAILING_COMMAND_H_
#define LATHE_DRIVER_CLI_FAILING_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

// The result of the command. Two failures are the same if the exit code and `reason` are equal.
struct Failure {
  int exit_code = 0;
  // The code of the first error, the place of an internal error, or the kind of another error of a
  // verb; empty for commands of the user.
  std::string reason;
  std::string message;  // of the first error of a verb

  bool IsSameAs(const Failure& other) const {
    return exit_code == other.exit_code && reason == other.reason;
  }
};

// Describes the exit code and the reason: "exit code 3, unsupported-operator".
std::string DescribeFailure(const Failure& failure);

class FailingCommand {
 public:
  // `text` is the value of --fails. Commands write their files into `folder` and end after
  // `seconds`. Fails for an empty or wrong command line.
  static absl::StatusOr<FailingCommand> Parse(absl::string_view text, std::string folder,
                                              int seconds);

  // Runs the command for the program in `file`. The exit code is 0 if the program does not fail.
  // Fails with Unavailable if the command cannot be run, and with DeadlineExceeded if it takes too
  // long.
  absl::StatusOr<Failure> Run(const std::string& file) const;

 private:
  absl::StatusOr<Failure> RunVerb(const std::string& file) const;
  absl::StatusOr<Failure> RunShell(const std::string& file) const;

  std::vector<std::string> words_;  // of a verb; empty for a command of the user
  std::string shell_;
  std::string folder_;
  int seconds_ = 0;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_FAILING_COMMAND_H_
