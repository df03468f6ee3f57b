#include "generator/driver/cli/verb_help.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/help_text.h"
#include "generator/driver/cli/verbs.h"
#include "generator/support/closest_name.h"

namespace lathe::driver {
namespace {

ExitCode Help(const Invocation& in) {
  if (in.args.operands.empty()) {
    Print(in.io.out, HelpText());
    return kExitOk;
  }
  const std::string& name = in.args.operands[0];
  const Verb* verb = FindVerb(name);
  if (verb == nullptr) {
    return in.report->Usage(
        absl::StrCat("unknown verb '", name, "'", DidYouMean(name, VerbNames())));
  }
  Print(in.io.out, HelpTextOf(*verb, /*all=*/true));
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
    .options = {},
    .details = "",
    .run = Help,
};

}  // namespace lathe::driver
