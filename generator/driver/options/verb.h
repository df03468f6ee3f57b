// What a verb of the command line is: data that the parser, the help and the shell completion all
// read, and a function that does the work. The list of verbs is in verbs.cc.
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

// One option. `value` is what help shows for its value: empty for a flag, "a|b|c" when these are
// all there are; FILE, CODE, PASS, TARGET and VERB are completed by the shell.
struct Option {
  absl::string_view name;  // "--output"; "-W" for one that has only a letter
  char letter = 0;         // 'o', or none
  absl::string_view value;
  absl::string_view help;
  bool rare = false;  // only --help-all shows it
};

// The words of a command line, sorted out. Asking for an option that the verb does not declare is a
// bug of ours and ends the process.
class Arguments {
 public:
  bool Has(absl::string_view name) const;
  // The last value given, or `otherwise`.
  absl::string_view Value(absl::string_view name, absl::string_view otherwise = "") const;
  std::vector<absl::string_view> Values(absl::string_view name) const;

  std::vector<const Option*> declared;
  std::vector<std::pair<const Option*, std::string>> given;
  std::vector<std::string> operands;
};

struct Verb;

// Everything a verb is run with.
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
  absl::Span<const Option> options;  // besides those every verb takes
  absl::string_view details;         // further lines of `lathe help VERB`, examples among them
  ExitCode (*run)(const Invocation&);
};

// "a|b|c" as its parts; empty when `value` names no choices.
std::vector<absl::string_view> Choices(absl::string_view value);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_VERB_H_
