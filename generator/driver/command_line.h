// The whole command line as one function, so that a test runs it without a process.
#ifndef LATHE_DRIVER_COMMAND_LINE_H_
#define LATHE_DRIVER_COMMAND_LINE_H_

#include <cstdio>
#include <string>

#include "absl/types/span.h"

namespace lathe::driver {

struct Streams {
  std::FILE* in;
  std::FILE* out;  // results
  std::FILE* err;  // diagnostics and progress
};

// What the process ends with.
enum ExitCode : int {
  kExitOk = 0,
  kExitUsage = 1,
  kExitMalformed = 2,
  kExitUnsupported = 3,
  kExitLimit = 4,
  kExitEnvironment = 5,
  kExitMismatch = 6,
  kExitInternal = 70,
};

// Runs `lathe args...` (the program's own name is not in `args`) and returns its exit code.
int RunLathe(absl::Span<const std::string> args, const Streams& streams);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMMAND_LINE_H_
