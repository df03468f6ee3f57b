#include "generator/driver/cli/parse_arguments.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/verbs.h"
#include "generator/driver/report/diagnostic_page.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr Option kOptionsOfEveryVerb[] = {
    {"--diagnostics", 0, "human|short|json|sarif", "how errors and warnings are written"},
    {"--color", 0, "auto|always|never", "colors on a terminal (NO_COLOR and CLICOLOR_FORCE too)"},
    {"--max-errors", 0, "N", "list at most N errors, 0 for all (20)"},
    {"-W", 'W', "error|error=CODE|no-CODE", "make warnings errors, or silence one"},
    {"--quiet", 'q', "", "print no progress", true},
    {"--help", 'h', "", "a page of help"},
    {"--help-all", 0, "", "help with every option", true},
    {"--version", 'V', "", "the version; with --json as JSON", true},
    {"--json", 0, "", "print results as one JSON object"},
};

class Parser {
 public:
  explicit Parser(absl::Span<const std::string> words) : words_(words) {
    for (const Option& o : kOptionsOfEveryVerb) line_.args.declared.push_back(&o);
  }

  absl::StatusOr<ParsedLine> Run() {
    bool ended = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      absl::Status s;
      if (!ended && word == "--") {
        ended = true;
      } else if (ended || word.size() < 2 || word[0] != '-') {
        s = Operand(word);
      } else {
        // -MD, -MF and -MT are options with one dash, as in compilers.
        s = absl::StartsWith(word, "--") || absl::StartsWith(word, "-M") ? Long(word)
                                                                         : Letters(word);
      }
      if (!s.ok()) return s;
    }
    if (line_.verb != nullptr && !line_.verb->reports && line_.args.Has("--json")) {
      return Unknown("--json");
    }
    return std::move(line_);
  }

 private:
  absl::Status Operand(const std::string& word) {
    if (line_.verb != nullptr) {
      line_.args.operands.push_back(word);
      return absl::OkStatus();
    }
    line_.verb = FindVerb(word);
    if (line_.verb == nullptr) {
      // ExpandResponseFiles leaves @FILE unchanged if the file cannot be read.
      const bool response = absl::StartsWith(word, "@");
      return Wrong(absl::StrCat("unknown verb '", word, "'",
                                response
                                    ? absl::StrCat("; cannot read the file '", word.substr(1), "'")
                                    : DidYouMean(word, VerbNames())));
    }
    for (const Option& o : line_.verb->options) line_.args.declared.push_back(&o);
    return absl::OkStatus();
  }

  absl::Status Long(absl::string_view word) {
    const size_t equals = word.find('=');
    const absl::string_view name = word.substr(0, equals);
    for (const Option* o : line_.args.declared) {
      if (o->name != name) continue;
      if (o->value.empty()) {
        if (equals != word.npos) return Wrong(absl::StrCat("option '", name, "' takes no value"));
        return Give(o, "");
      }
      if (equals != word.npos) return Give(o, word.substr(equals + 1));
      return GiveNext(o, name);
    }
    return Unknown(name);
  }

  // Parses one letter with its value, or several flags.
  absl::Status Letters(absl::string_view word) {
    for (size_t i = 1; i < word.size(); ++i) {
      const Option* o = nullptr;
      for (const Option* known : line_.args.declared) {
        if (known->letter == word[i]) o = known;
      }
      if (o == nullptr) return Unknown(i == 1 ? word : absl::StrCat("-", word.substr(i, 1)));
      if (!o->value.empty()) {
        if (i + 1 < word.size()) return Give(o, word.substr(i + 1));
        return GiveNext(o, word.substr(i, 1));
      }
      LATHE_RETURN_IF_ERROR(Give(o, ""));
    }
    return absl::OkStatus();
  }

  absl::Status GiveNext(const Option* o, absl::string_view written) {
    if (at_ == words_.size()) {
      return Wrong(absl::StrCat("option '", absl::StartsWith(written, "-") ? "" : "-", written,
                                "' needs a value: ", o->value));
    }
    return Give(o, words_[at_++]);
  }

  absl::Status Give(const Option* o, absl::string_view value) {
    const std::vector<absl::string_view> choices = Choices(o->value);
    // The choices of -W contain codes. ReadReportOptions checks them.
    if (!choices.empty() && o->letter != 'W' &&
        std::find(choices.begin(), choices.end(), value) == choices.end()) {
      return Wrong(absl::StrCat("option '", o->name, "' must be one of ",
                                absl::StrJoin(choices, ", "), "; got '", value, "'",
                                DidYouMean(value, choices)));
    }
    // Of other options the last value counts, as in compilers.
    if (o->name == "--target" && line_.args.Has("--target") && line_.verb->name != "diff") {
      return Wrong(absl::StrCat("option '--target' is given more than once: '",
                                line_.args.Value("--target"), "' and '", value, "'"));
    }
    line_.args.given.emplace_back(o, std::string(value));
    return absl::OkStatus();
  }

  absl::Status Unknown(absl::string_view name) const {
    std::vector<absl::string_view> names;
    for (const Option* o : line_.args.declared) {
      // Options of one letter are similar to every other letter.
      if (o->name.size() > 2 && o->name != name) names.push_back(o->name);
    }
    std::string meant = DidYouMean(name, names);
    if (meant.empty()) meant = Longer(name, names);
    if (meant.empty()) meant = Owners(name);
    return Wrong(absl::StrCat("unknown option '", name, "'",
                              line_.verb ? absl::StrCat(" for '", line_.verb->name, "'") : "",
                              meant));
  }

  // Suggests a name that starts with `name` or is a prefix of it: --output for --out.
  static std::string Longer(absl::string_view name, const std::vector<absl::string_view>& names) {
    for (absl::string_view known : names) {
      if (name.size() < 5 || (!absl::StartsWith(known, name) && !absl::StartsWith(name, known))) {
        continue;
      }
      return absl::StrCat("; did you mean '", known, "'?");
    }
    return "";
  }

  // Lists the verbs that have this option.
  static std::string Owners(absl::string_view name) {
    std::string owners;
    for (const Verb* verb : AllVerbs()) {
      for (const Option& o : verb->options) {
        const bool is_letter = name.size() == 2 && o.letter == name[1];
        if (o.name != name && !is_letter) continue;
        absl::StrAppend(&owners, owners.empty() ? "'" : ", '", verb->name, "'");
      }
    }
    return owners.empty() ? "" : absl::StrCat("; it is an option of ", owners);
  }

  absl::Status Wrong(absl::string_view what) const {
    return absl::InvalidArgumentError(
        line_.verb == nullptr
            ? absl::StrCat(what, "\nsee 'lathe help'")
            : absl::StrCat(what, "\n'lathe help ", line_.verb->name, "' lists its options"));
  }

  absl::Span<const std::string> words_;
  size_t at_ = 0;
  ParsedLine line_;
};

bool WantsColor(absl::string_view choice, std::FILE* stream) {
  if (choice != "auto") return choice == "always";
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? absl::string_view(value) : absl::string_view();
  };
  if (!set("NO_COLOR").empty()) return false;
  if (const auto force = set("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return set("TERM") != "dumb" && isatty(fileno(stream)) == 1;
}

absl::Status ReadWarning(absl::string_view value, ReportOptions& out) {
  if (value == "error") {
    out.all_warnings_are_errors = true;
    return absl::OkStatus();
  }
  absl::string_view code = value;
  const bool error = absl::ConsumePrefix(&code, "error=");
  if (!error && !absl::ConsumePrefix(&code, "no-")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '-W' must be -Werror, -Werror=CODE or -Wno-CODE; got '-W", value, "'"));
  }
  if (!FindDiagnosticPage(code)) {
    return absl::InvalidArgumentError(absl::StrCat("option '-W", value,
                                                   "': no diagnostic has the code '", code, "'",
                                                   DidYouMean(code, DiagnosticCodes())));
  }
  (error ? out.warnings_as_errors : out.disabled_warnings).insert(std::string(code));
  return absl::OkStatus();
}

}  // namespace

absl::Span<const Option> OptionsOfEveryVerb() { return kOptionsOfEveryVerb; }

absl::StatusOr<ParsedLine> ParseArguments(absl::Span<const std::string> words) {
  return Parser(words).Run();
}

absl::StatusOr<ReportOptions> ReadReportOptions(const Arguments& args, const Streams& io) {
  ReportOptions out;
  const absl::string_view format = args.Value("--diagnostics", "human");
  out.format = format == "short"   ? ReportFormat::kShort
               : format == "json"  ? ReportFormat::kJson
               : format == "sarif" ? ReportFormat::kSarif
                                   : ReportFormat::kHuman;
  out.color = WantsColor(args.Value("--color", "auto"), io.err);
  out.quiet = args.Has("--quiet");
  out.max_errors_given = args.Has("--max-errors");
  const absl::string_view max_errors = args.Value("--max-errors", "20");
  if (!absl::SimpleAtoi(max_errors, &out.max_errors) || out.max_errors < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--max-errors' must be a number, 0 or more; got '", max_errors, "'"));
  }
  for (absl::string_view value : args.Values("-W")) {
    LATHE_RETURN_IF_ERROR(ReadWarning(value, out));
  }
  return out;
}

}  // namespace lathe::driver
