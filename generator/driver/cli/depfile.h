// Writes dependency files for make and ninja.
#ifndef LATHE_DRIVER_CLI_DEPFILE_H_
#define LATHE_DRIVER_CLI_DEPFILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

// Returns a rule of make and ninja, "a.c a.h: model.py", with each input on a line of its own after
// a backslash. Escapes a blank, '#' and ':' by a backslash, doubles the backslashes before such a
// character, and doubles '$'.
std::string Depfile(absl::Span<const std::string> targets, absl::Span<const std::string> inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_DEPFILE_H_
