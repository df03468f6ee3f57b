// Quotes words for a POSIX shell.
#ifndef LATHE_SUPPORT_SHELL_WORD_H_
#define LATHE_SUPPORT_SHELL_WORD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe {

// Returns `text` in quotes, as one word of a shell.
std::string ShellWord(absl::string_view text);

}  // namespace lathe

#endif  // LATHE_SUPPORT_SHELL_WORD_H_
