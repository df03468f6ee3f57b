// What the outputs were made from, for build systems.
#ifndef LATHE_DRIVER_CLI_DEPFILE_H_
#define LATHE_DRIVER_CLI_DEPFILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

// "a.c a.h: model.py\n", as make and ninja read it: blanks, '#' and ':' have a backslash before
// them, '$' is doubled.
std::string Depfile(absl::Span<const std::string> targets, absl::Span<const std::string> inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_DEPFILE_H_
