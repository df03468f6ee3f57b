// Declares the description of a verb: data for the parser, the help and the shell completion, and
// the function that runs it. The list of verbs is in verbs.cc.
#ifndef LATHE_DRIVER_OPTIONS_VERB_H_
#define LATHE_DRIVER_OPTIONS_VERB_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/report.h"
#include "generator/driver/report/streams.h"

namespace lathe::driver {

// An option. `value` describes its value in the help: empty for a flag, "a|b|c" for a choice.
// Shells complete FILE, CODE, PASS, TARGET and VERB.
struct Option {
  absl::string_view name;  // "--output"; "-W" for an option without a long name
  char letter = 0;         // 'o', or 0
  absl::string_view value;
  absl::string_view help;
  bool rare = false;  // only --help-all shows it
};

// A parsed command line. Access to an option that the verb does not declare is an internal error.
class Arguments {
 public:
  bool Has(absl::string_view name) const;
  // Returns the last value given, or `otherwise`.
  absl::string_view Value(absl::string_view name, absl::string_view otherwise = "") const;
  std::vector<absl::string_view> Values(absl::string_view name) const;

  std::vector<const Option*> declared;
  std::vector<std::pair<const Option*, std::string>> given;
  std::vector<std::string> operands;
};

struct Verb;

// The arguments and streams of a verb.
struct Invocation {
  const Verb* verb;
  Arguments args;
  Streams io;
  Report* report;
};

struct Verb {
  absl::string_view name;
  absl::string_view summary;   // one line
  absl::string_view operands;  // "FILE", "[CODE]"; empty for none
  int min_operands = 0;
  int max_operands = 0;
  bool reports = false;              // takes --json
  absl::Span<const Option> options;  // besides OptionsOfEveryVerb()
  absl::string_view details;         // further lines of `lathe help VERB`, with examples
  ExitCode (*run)(const Invocation&);
};

// Splits "a|b|c". Returns an empty list if `value` is not a choice.
std::vector<absl::string_view> Choices(absl::string_view value);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_VERB_H_
