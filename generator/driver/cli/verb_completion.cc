#include "generator/driver/cli/verb_completion.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/completion_script.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kShells[] = {"bash", "zsh", "fish"};

ExitCode Completion(const Invocation& in) {
  const std::string& shell = in.args.operands[0];
  for (absl::string_view known : kShells) {
    if (shell != known) continue;
    Print(in.io.out, CompletionScript(shell));
    return kExitOk;
  }
  return in.report->Usage(
      absl::StrCat("no completion for '", shell, "'; supported: bash, zsh and fish"));
}

}  // namespace

constexpr Verb kVerbCompletion = {
    .name = "completion",
    .summary = "print a script that teaches a shell to complete lathe's verbs and options",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = {},
    .details =
        "Examples:\n"
        "  source <(lathe completion bash)\n"
        "  lathe completion zsh > ~/.zfunc/_lathe\n"
        "  lathe completion fish > ~/.config/fish/completions/lathe.fish\n",
    .run = Completion,
};

}  // namespace lathe::driver
