#include "generator/driver/cli/help_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/verbs.h"
#include "generator/driver/report/exit_code.h"

namespace lathe::driver {
namespace {

constexpr int kNameWidth = 26;  // the widest name that leaves its help on the same line

// "-o, --output=FILE", "-WVALUE", "    --json"
std::string Spelling(const Option& o) {
  if (o.name.size() == 2) return absl::StrCat(o.name, o.value);
  const std::string letter =
      o.letter == 0 ? "    " : absl::StrCat("-", std::string(1, o.letter), ", ");
  return absl::StrCat(letter, o.name, o.value.empty() ? "" : "=", o.value);
}

std::string OptionLines(absl::Span<const Option> options, bool all, bool with_json) {
  std::string out;
  for (const Option& o : options) {
    if ((o.rare && !all) || (o.name == "--json" && !with_json)) continue;
    const std::string spelling = Spelling(o);
    if (spelling.size() > kNameWidth) {
      absl::StrAppend(&out, "  ", spelling, "\n", std::string(kNameWidth + 4, ' '), o.help, "\n");
    } else {
      absl::StrAppendFormat(&out, "  %-*s  %s\n", kNameWidth, spelling, o.help);
    }
  }
  return out;
}

}  // namespace

std::string UsageLine(const Verb& verb) {
  return absl::StrCat("lathe ", verb.name, " [options]", verb.operands.empty() ? "" : " ",
                      verb.operands);
}

std::string HelpText() {
  std::string out =
      absl::StrCat("lathe - ", kProgramSummary, "\n\nUsage: lathe VERB [options] FILE\n\n");
  for (const Verb* verb : AllVerbs()) {
    absl::StrAppendFormat(&out, "  %-11s %s\n", verb->name, verb->summary);
  }
  absl::StrAppend(&out, "\nOptions of every verb:\n",
                  OptionLines(OptionsOfEveryVerb(), false, true),
                  "\nExamples:\n"
                  "  lathe check model.py\n"
                  "  lathe run model.py --random seed=1 -o out.npz\n"
                  "\n"
                  "'lathe help VERB' explains a verb; 'lathe --help-all' lists all options.\n");
  return out;
}

std::string HelpTextOf(const Verb& verb, bool all) {
  std::string out = absl::StrCat("Usage: ", UsageLine(verb), "\n\n", verb.summary, "\n");
  if (!verb.options.empty()) {
    absl::StrAppend(&out, "\nOptions:\n", OptionLines(verb.options, all, verb.reports));
  }
  absl::StrAppend(&out, "\nOptions of every verb:\n",
                  OptionLines(OptionsOfEveryVerb(), all, verb.reports));
  if (!verb.details.empty()) absl::StrAppend(&out, "\n", verb.details);
  return out;
}

std::string HelpTextOfAll() {
  std::string out = "Usage: lathe VERB [options] FILE\n\nOptions of every verb:\n";
  absl::StrAppend(&out, OptionLines(OptionsOfEveryVerb(), true, true));
  for (const Verb* verb : AllVerbs()) {
    absl::StrAppend(&out, "\n", UsageLine(*verb), "\n  ", verb->summary, "\n",
                    OptionLines(verb->options, true, verb->reports));
  }
  absl::StrAppend(&out,
                  "\n"
                  "@FILE is replaced by the words in FILE, which are quoted as in GCC.\n"
                  "'--' ends the options; '-' is standard input, or standard output after -o.\n"
                  "\n"
                  "Exit codes:\n");
  for (const ExitMeaning& exit : ExitMeanings()) {
    absl::StrAppendFormat(&out, "  %-3d %s\n", exit.code, exit.text);
  }
  return out;
}

}  // namespace lathe::driver
