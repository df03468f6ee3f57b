#include "generator/driver/cli/completion_script.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/verbs.h"
#include "generator/driver/report/diagnostic_page.h"
#include "generator/emit/text/template.h"
#include "generator/support/check.h"
#include "generator/support/embedded_text.h"
#include "generator/target/target.h"

namespace lathe::driver {
namespace {

// Returns the words that complete a value or an operand. Empty if the shell should offer files or
// nothing.
std::vector<absl::string_view> WordsFor(absl::string_view placeholder) {
  if (placeholder == "[CODE]") return DiagnosticCodes();
  if (placeholder == "[VERB]") return VerbNames();
  if (placeholder == "TARGET") return TargetNames();
  return Choices(placeholder);
}

bool WantsFile(absl::string_view placeholder) { return absl::StrContains(placeholder, "FILE"); }

// Replaces single quotes, so that the text can be quoted with them in all shells.
std::string Quotable(absl::string_view text) { return absl::StrReplaceAll(text, {{"'", "’"}}); }

TemplateValue OptionValue(const Option& o) {
  const std::vector<absl::string_view> words =
      o.letter == 'W' ? std::vector<absl::string_view>() : WordsFor(o.value);
  return TemplateValue::Dict{
      {"name", std::string(o.name)},
      {"long", std::string(absl::StripPrefix(o.name, "--"))},
      {"is_long", o.name.size() > 2},
      {"has_letter", o.letter != 0},
      {"letter", std::string(1, o.letter == 0 ? ' ' : o.letter)},
      {"takes_value", !o.value.empty()},
      {"takes_file", WantsFile(o.value)},
      {"takes_words", !words.empty()},
      {"words", absl::StrJoin(words, " ")},
      {"help", Quotable(o.help)},
  };
}

TemplateValue OptionValues(absl::Span<const Option> options) {
  TemplateValue::List list;
  for (const Option& o : options) list.push_back(OptionValue(o));
  return list;
}

TemplateValue VerbValue(const Verb& verb) {
  std::string names;
  for (absl::Span<const Option> table : {verb.options, OptionsOfEveryVerb()}) {
    for (const Option& o : table) {
      if (o.name == "--json" && !verb.reports) continue;
      absl::StrAppend(&names, names.empty() ? "" : " ", o.name);
    }
  }
  const std::vector<absl::string_view> words = WordsFor(verb.operands);
  return TemplateValue::Dict{
      {"name", std::string(verb.name)},         {"summary", Quotable(verb.summary)},
      {"options", OptionValues(verb.options)},  {"option_names", names},
      {"takes_file", WantsFile(verb.operands)}, {"takes_words", !words.empty()},
      {"words", absl::StrJoin(words, " ")},
  };
}

}  // namespace

std::string CompletionScript(absl::string_view shell) {
  TemplateValue::List verbs;
  for (const Verb* verb : AllVerbs()) verbs.push_back(VerbValue(*verb));
  const TemplateValue::Dict data = {{"verbs", std::move(verbs)},
                                    {"common_options", OptionValues(OptionsOfEveryVerb())},
                                    {"verb_names", absl::StrJoin(VerbNames(), " ")},
                                    {"verb_pattern", absl::StrJoin(VerbNames(), "|")}};
  for (const EmbeddedText& file : EmbeddedTemplates()) {
    if (file.name != absl::StrCat("completion/lathe.", shell, ".tmpl")) continue;
    auto script = RenderTemplate(file.name, file.text, data, nullptr);
    LATHE_CHECK(script.ok(), "a completion template uses only the fields in its data");
    return *std::move(script);
  }
  LATHE_UNREACHABLE("the verb's operand is one of the three shells");
}

}  // namespace lathe::driver
