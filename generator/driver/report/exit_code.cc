#include "generator/driver/report/exit_code.h"

namespace lathe::driver {
namespace {

constexpr ExitMeaning kExitMeanings[] = {
    {kExitOk, "success; there may be warnings"},
    {kExitUsage, "a usage error"},
    {kExitMalformed, "malformed input: the program breaks a rule, or a check failed at run time"},
    {kExitUnsupported, "the program is valid but uses an unsupported feature"},
    {kExitLimit, "a limit or a budget is exceeded"},
    {kExitEnvironment, "an error of files or tools"},
    {kExitMismatch, "results differ from the expected ones"},
    {kExitInternal, "an internal error of lathe"},
};

}  // namespace

absl::Span<const ExitMeaning> ExitMeanings() { return kExitMeanings; }

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
