// Reports internal errors: a failed check prints its location and reason, asks for a bug report and
// ends the process. Not for errors of user input (diagnostics.h) or of the environment
// (absl::Status).
#ifndef LATHE_SUPPORT_CHECK_H_
#define LATHE_SUPPORT_CHECK_H_

#include "absl/strings/string_view.h"

namespace lathe {

// Prints an internal error and exits with code 70. With LATHE_ABORT_ON_BUG, it aborts instead.
[[noreturn]] void FailCheck(const char* file, int line, absl::string_view what);

}  // namespace lathe

#define LATHE_CHECK(condition, why)                                                \
  do {                                                                             \
    if (!(condition)) ::lathe::FailCheck(__FILE__, __LINE__, #condition ": " why); \
  } while (false)

#define LATHE_UNREACHABLE(why) ::lathe::FailCheck(__FILE__, __LINE__, why)

#endif  // LATHE_SUPPORT_CHECK_H_
