#include "generator/driver/report/status_name.h"

#include <cstring>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kStatuses[] = {
    // from -1 downwards
    "LATHE_E_NULL",       "LATHE_E_ARENA_SIZE", "LATHE_E_ALIGN",  "LATHE_E_WEIGHTS",
    "LATHE_E_ABORTED",    "LATHE_E_SHAPE",      "LATHE_E_MEMORY", "LATHE_E_ARGUMENT",
    "LATHE_E_FAILED",     "LATHE_E_EXTERN",     "LATHE_E_INDEX",  "LATHE_E_MATCH",
    "LATHE_E_STATE_SIZE",
};
constexpr absl::string_view kEnded = "the compiled program ended with ";

constexpr absl::string_view kGuard = "guard: ";

// Shells add this to the number of a signal.
constexpr int kSignalled = 128;

}  // namespace

std::optional<absl::Status> ErrorFromStatus(absl::string_view number) {
  int status = 0;
  if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(number), &status) || status >= 0 ||
      status < -std::ssize(kStatuses)) {
    return std::nullopt;
  }
  return absl::FailedPreconditionError(absl::StrCat(kEnded, kStatuses[-status - 1]));
}

bool IsBrokenGuard(absl::string_view line) { return absl::StartsWith(line, kGuard); }

absl::Status BrokenGuard(absl::string_view line) {
  return absl::FailedPreconditionError(absl::StripPrefix(line, kGuard));
}

std::optional<std::string> StatusName(const absl::Status& ended) {
  absl::string_view message = ended.message();
  if (!absl::IsFailedPrecondition(ended) || !absl::ConsumePrefix(&message, kEnded) ||
      !absl::StartsWith(message, "LATHE_E_")) {
    return std::nullopt;
  }
  return std::string(message);
}

absl::Status ErrorFromExit(int exit_code, absl::string_view said) {
  const char* signal = exit_code > kSignalled ? strsignal(exit_code - kSignalled) : nullptr;
  const std::string how = signal == nullptr
                              ? absl::StrCat("exit code ", exit_code)
                              : absl::StrCat("signal ", exit_code - kSignalled, " (", signal, ")");
  return absl::FailedPreconditionError(absl::StrCat(kEnded, how, said.empty() ? "" : ": ", said));
}

}  // namespace lathe::driver
