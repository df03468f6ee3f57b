// Generates the help pages from the table of verbs.
#ifndef LATHE_DRIVER_CLI_HELP_TEXT_H_
#define LATHE_DRIVER_CLI_HELP_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

inline constexpr absl::string_view kProgramSummary =
    "compile neural-network programs to plain C or CUDA; check, print and run them";

// Returns the text of `lathe --help`, at most one screen.
std::string HelpText();

// Returns the text of `lathe --help-all`: every verb with every option.
std::string HelpTextOfAll();

// Returns the text of `lathe help VERB`; `all` shows rare options too.
std::string HelpTextOf(const Verb& verb, bool all);

// Returns "lathe check [options] FILE...".
std::string UsageLine(const Verb& verb);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_HELP_TEXT_H_
