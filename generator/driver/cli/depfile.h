// Writes dependency files for make and ninja.
#ifndef LATHE_DRIVER_CLI_DEPFILE_H_
#define LATHE_DRIVER_CLI_DEPFILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

// Returns "a.c a.h: model.py\n" with the escapes of make and ninja: a backslash before blanks, '#'
// and ':', and a doubled '$'.
std::string Depfile(absl::Span<const std::string> targets, absl::Span<const std::string> inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_DEPFILE_H_
