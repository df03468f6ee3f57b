// Maps diagnostics and statuses to the exit codes documented in docs/command-line.md.
#ifndef LATHE_DRIVER_REPORT_EXIT_CODE_H_
#define LATHE_DRIVER_REPORT_EXIT_CODE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
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

struct ExitMeaning {
  ExitCode code;
  absl::string_view text;
};

// Returns the meaning of each code, for the help and the manual pages.
absl::Span<const ExitMeaning> ExitMeanings();

// Returns the code for a list of diagnostics. If errors have several causes, malformed input takes
// precedence because the user can fix it, then limits, then unsupported features.
ExitCode ExitCodeOf(const Diagnostics& diags);

// Returns the code for an error of the environment, which is kExitLimit for ResourceExhausted.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_EXIT_CODE_H_
