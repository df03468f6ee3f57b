// Command-line words that come from a file: `lathe check @args.txt`.
#ifndef LATHE_DRIVER_CLI_RESPONSE_FILE_H_
#define LATHE_DRIVER_CLI_RESPONSE_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

// The words of `text`, divided by white space. Quoting is GCC's: '...' and "..." keep blanks, and a
// backslash keeps the character after it, inside quotes too.
std::vector<std::string> SplitResponseWords(absl::string_view text);

// `args` with every @FILE before "--" replaced by the words of FILE, which may hold further @FILEs.
// As in GCC, an @FILE that cannot be read stays as it is. Fails when files nest without end.
absl::StatusOr<std::vector<std::string>> ExpandResponseFiles(absl::Span<const std::string> args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RESPONSE_FILE_H_
