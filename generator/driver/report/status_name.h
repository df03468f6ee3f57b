// The statuses of include/lathe/rt.h by their names, as people are told of them.
#ifndef LATHE_DRIVER_REPORT_STATUS_NAME_H_
#define LATHE_DRIVER_REPORT_STATUS_NAME_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

// FailedPrecondition with "the compiled program ended with LATHE_E_SHAPE", `number` being what it
// printed of its status; nothing where that is none.
std::optional<absl::Status> EndedWithStatus(absl::string_view number);

// Whether a program says in this line that a step wrote outside its buffers (guards.h in
// templates/validate/), and what that is as a status.
bool IsBrokenGuard(absl::string_view line);
absl::Status BrokenGuard(absl::string_view line);

// "LATHE_E_SHAPE" of what EndedWithStatus made; nothing of another status.
std::optional<std::string> StatusOfRun(const absl::Status& ended);

// How a program ended that says no status: the exit code or the signal, and the text that it wrote.
absl::Status EndedOtherwise(int exit_code, absl::string_view said);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_STATUS_NAME_H_
