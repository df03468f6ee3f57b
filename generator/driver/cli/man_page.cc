#include "generator/driver/cli/man_page.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/help_text.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/verbs.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/version.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/check.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// Quotes a line of text: hyphens are those of commands, and no line is a roff request.
std::string RoffLine(absl::string_view text) {
  std::string out = absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}});
  const bool is_request = absl::StartsWith(out, ".") || absl::StartsWith(out, "'");
  return is_request ? absl::StrCat("\\&", out) : out;
}

// ".BR -o ", " --output=" FOLDER" with fonts as escapes, which need no quoting of blanks.
std::string RoffSpelling(const Option& o) {
  std::string out;
  if (o.letter != 0 && o.name.size() > 2) {
    absl::StrAppend(&out, "\\fB\\-", std::string(1, o.letter), "\\fR, ");
  }
  absl::StrAppend(&out, "\\fB", RoffLine(o.name), "\\fR");
  if (o.value.empty()) return out;
  const bool is_long = absl::StartsWith(o.name, "--");
  return absl::StrCat(out, is_long ? "=" : "", "\\fI", RoffLine(o.value), "\\fR");
}

List RoffOptions(absl::Span<const Option> options, bool with_json) {
  List list;
  for (const Option& o : options) {
    if (o.name == "--json" && !with_json) continue;
    list.push_back(Dict{{"spelling", RoffSpelling(o)}, {"help", RoffLine(o.help)}});
  }
  return list;
}

// Splits the details of a verb at "Examples:". Empty lines of the description start paragraphs.
void AddDetails(absl::string_view details, Dict& verb) {
  List description, examples;
  bool in_examples = false;
  for (absl::string_view line : absl::StrSplit(absl::StripSuffix(details, "\n"), '\n')) {
    if (line == "Examples:") {
      in_examples = true;
    } else if (in_examples) {
      examples.push_back(Dict{{"text", RoffLine(absl::StripLeadingAsciiWhitespace(line))}});
    } else {
      description.push_back(Dict{{"text", line.empty() ? ".PP" : RoffLine(line)}});
    }
  }
  const auto is_paragraph = [](const TemplateValue& line) {
    return *line.As<Dict>()->at("text").As<std::string>() == ".PP";
  };
  while (!description.empty() && is_paragraph(description.back())) description.pop_back();
  verb["has_description"] = !description.empty() && !details.empty();
  verb["description"] = std::move(description);
  verb["has_examples"] = !examples.empty();
  verb["examples"] = std::move(examples);
}

std::string Render(absl::string_view name, const Dict& data) {
  auto page = emit::RenderNamed(name, data);
  LATHE_CHECK(page.ok(), "a manual template uses only the fields in its data");
  return *std::move(page);
}

}  // namespace

std::string ManPage() {
  List verbs, exits;
  for (const Verb* verb : AllVerbs()) {
    verbs.push_back(Dict{{"name", std::string(verb->name)}, {"summary", RoffLine(verb->summary)}});
  }
  for (const ExitMeaning& exit : ExitMeanings()) {
    exits.push_back(Dict{{"code", absl::StrCat(exit.code)}, {"text", RoffLine(exit.text)}});
  }
  return Render("man/lathe.1.tmpl", {{"version", std::string(Version())},
                                     {"summary", RoffLine(kProgramSummary)},
                                     {"verbs", std::move(verbs)},
                                     {"options", RoffOptions(OptionsOfEveryVerb(), true)},
                                     {"exits", std::move(exits)}});
}

std::string ManPageOf(const Verb& verb) {
  Dict view = {
      {"name", std::string(verb.name)},       {"NAME", absl::AsciiStrToUpper(verb.name)},
      {"summary", RoffLine(verb.summary)},    {"usage", RoffLine(UsageLine(verb))},
      {"has_options", !verb.options.empty()}, {"options", RoffOptions(verb.options, verb.reports)}};
  AddDetails(verb.details, view);
  return Render("man/verb.1.tmpl", {{"version", std::string(Version())},
                                    {"verb", std::move(view)},
                                    {"options", RoffOptions(OptionsOfEveryVerb(), verb.reports)}});
}

}  // namespace lathe::driver
