// What the process ends with; documented in docs/command-line.md.
#ifndef LATHE_DRIVER_REPORT_EXIT_CODE_H_
#define LATHE_DRIVER_REPORT_EXIT_CODE_H_

#include "absl/status/status.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

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

// The code for a list of diagnostics. With errors of several kinds the user's mistake comes first,
// for it can be mended, then a limit, then what is not supported.
ExitCode ExitCodeOf(const Diagnostics& diags);

// The code for a trouble of the machine.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_EXIT_CODE_H_
