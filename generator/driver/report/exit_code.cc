#include "generator/driver/report/exit_code.h"

namespace lathe::driver {

ExitCode ExitCodeOf(const Diagnostics& diags) {
  ExitCode code = kExitOk;
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    switch (d.blame) {
      case Blame::kMalformed:
        return kExitMalformed;
      case Blame::kLimit:
        code = kExitLimit;
        break;
      case Blame::kUnsupported:
        if (code == kExitOk) code = kExitUnsupported;
        break;
    }
  }
  return code;
}

ExitCode ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kExitOk;
  return status.code() == absl::StatusCode::kResourceExhausted ? kExitLimit : kExitEnvironment;
}

}  // namespace lathe::driver
