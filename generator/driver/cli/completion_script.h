// Generates shell completion scripts from the table of verbs.
#ifndef LATHE_DRIVER_CLI_COMPLETION_SCRIPT_H_
#define LATHE_DRIVER_CLI_COMPLETION_SCRIPT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe::driver {

// Returns the script for `shell`: "bash", "zsh" or "fish".
std::string CompletionScript(absl::string_view shell);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_COMPLETION_SCRIPT_H_
