// Expands response files: `lathe check @args.txt`.
#ifndef LATHE_DRIVER_CLI_RESPONSE_FILE_H_
#define LATHE_DRIVER_CLI_RESPONSE_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

// Splits `text` at white space, with the quoting of GCC: '...' and "..." preserve blanks, and a
// backslash preserves the next character, also inside quotes.
std::vector<std::string> SplitResponseWords(absl::string_view text);

// Replaces every @FILE in `args` before "--" by the words of FILE, which may contain further
// @FILEs. As in GCC, an @FILE that cannot be read is left unchanged. Fails if files nest too deeply
// or have too many words.
absl::StatusOr<std::vector<std::string>> ExpandResponseFiles(absl::Span<const std::string> args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RESPONSE_FILE_H_
