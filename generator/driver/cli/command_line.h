// Runs a command line in a function, so that tests need no process.
#ifndef LATHE_DRIVER_CLI_COMMAND_LINE_H_
#define LATHE_DRIVER_CLI_COMMAND_LINE_H_

#include <string>

#include "absl/types/span.h"
#include "generator/driver/report/streams.h"

namespace lathe::driver {

// Runs `lathe args...` (the program's own name is not in `args`) and returns its exit code.
int RunLathe(absl::Span<const std::string> args, const Streams& streams);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_COMMAND_LINE_H_
