// Parses command-line words into options and operands by the table of the verb, with GNU
// conventions:
// `--name value`, `--name=value`, `-n value`, `-nvalue`, `-qv`; options and operands in any order;
// `--` ends the options; `-` is an operand.
#ifndef LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_
#define LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

struct ParsedLine {
  const Verb* verb = nullptr;  // null for `lathe` and `lathe --version`
  Arguments args;
};

// Finds the verb (the first operand) and parses the words. Fails with a message for the user, which
// suggests similar names for unknown verbs and options.
absl::StatusOr<ParsedLine> ParseArguments(absl::Span<const std::string> words);

// Returns the options that every verb has.
absl::Span<const Option> OptionsOfEveryVerb();

// Reads the options that control reports, such as --diagnostics.
absl::StatusOr<ReportOptions> ReadReportOptions(const Arguments& args, const Streams& io);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_
