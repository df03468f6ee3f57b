// Words to options and operands, by a verb's table. GNU manners: `--name value`, `--name=value`,
// `-n value`, `-nvalue`, `-qv`; options and operands in any order; `--` ends options; `-` is an
// operand.
#ifndef LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_
#define LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

struct ParsedLine {
  const Verb* verb = nullptr;  // none for `lathe`, `lathe --version`
  Arguments args;
};

// Finds the verb (the first operand) and sorts the words. Fails with what is wrong, in words for
// the user: the unknown verb or option first, with what was probably meant.
absl::StatusOr<ParsedLine> ParseArguments(absl::Span<const std::string> words);

// The options that every verb takes.
absl::Span<const Option> OptionsOfEveryVerb();

// Reads those that say how to report.
absl::StatusOr<ReportOptions> ReadReportOptions(const Arguments& args, const Streams& io);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_PARSE_ARGUMENTS_H_
