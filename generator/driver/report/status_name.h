// Converts how a compiled program ended (the status that it printed, its exit code or a signal) to
// an absl::Status with the names of include/lathe/rt.h.
#ifndef LATHE_DRIVER_REPORT_STATUS_NAME_H_
#define LATHE_DRIVER_REPORT_STATUS_NAME_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

// Returns FailedPrecondition with "the compiled program ended with LATHE_E_SHAPE" for the status
// `number` that the program printed, or nullopt if it is not a status of an error.
std::optional<absl::Status> ErrorFromStatus(absl::string_view number);

// IsBrokenGuard returns true for a line that reports a write outside of a buffer (guards.h in
// templates/validate/). BrokenGuard converts the line to a status.
bool IsBrokenGuard(absl::string_view line);
absl::Status BrokenGuard(absl::string_view line);

// Returns "LATHE_E_SHAPE" for a status of ErrorFromStatus, nullopt for others.
std::optional<std::string> StatusName(const absl::Status& ended);

// Returns FailedPrecondition with the exit code or signal of a program that printed no status, and
// its output.
absl::Status ErrorFromExit(int exit_code, absl::string_view said);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_STATUS_NAME_H_
