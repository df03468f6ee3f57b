#include "generator/driver/cli/verb_help.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/help_text.h"
#include "generator/driver/cli/man_page.h"
#include "generator/driver/cli/verbs.h"
#include "generator/support/closest_name.h"

namespace lathe::driver {
namespace {

constexpr Option kHelpOptions[] = {
    {"--man", 0, "", "print the manual page, in roff"},
};

ExitCode Help(const Invocation& in) {
  const bool man = in.args.Has("--man");
  if (in.args.operands.empty()) {
    Print(in.io.out, man ? ManPage() : HelpText());
    return kExitOk;
  }
  const std::string& name = in.args.operands[0];
  const Verb* verb = FindVerb(name);
  if (verb == nullptr) {
    return in.report->Usage(
        absl::StrCat("unknown verb '", name, "'", DidYouMean(name, VerbNames())));
  }
  Print(in.io.out, man ? ManPageOf(*verb) : HelpTextOf(*verb, /*all=*/true));
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbHelp = {
    .name = "help",
    .summary = "show how to use lathe or one of its verbs",
    .operands = "[VERB]",
    .min_operands = 0,
    .max_operands = 1,
    .reports = false,
    .options = kHelpOptions,
    .details =
        "Examples:\n"
        "  lathe help compile\n"
        "  lathe help --man compile | man -l -\n",
    .run = Help,
};

}  // namespace lathe::driver
