#include "generator/driver/cli/failing_command.h"

#include <cstdio>
#include <filesystem>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/cli/command_line.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/response_file.h"
#include "generator/driver/cli/verbs.h"
#include "generator/driver/options/verb.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/shell_word.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr char kFilePlace[] = "{}";

// Verbs that read a program. Those that write have an option for the file or folder.
struct FailingVerb {
  absl::string_view name;
  absl::string_view option = "";
  absl::string_view written = "";  // in the folder of the command
};
constexpr FailingVerb kFailingVerbs[] = {
    {"check"},
    {"run", "--output", "results.npz"},
    {"inspect", "--output", "inspected.py"},
    {"compile", "--output", "compiled"},
    {"analyze"},
    {"report", "--output", "report.html"},
    {"validate", "--keep", "validated"},
    {"fit"},
    {"quantize", "--output", "quantized.onnx"},
};

const FailingVerb* FindFailingVerb(absl::string_view name) {
  for (const FailingVerb& verb : kFailingVerbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

// Returns the line of an internal error up to its place, which is all but its message.
std::string InternalErrorPlace(absl::string_view output) {
  constexpr absl::string_view kStart = "internal error at ";
  const size_t start = output.find(kStart);
  if (start == output.npos) return "";
  const absl::string_view rest = output.substr(start);
  return std::string(rest.substr(0, rest.find(": ")));
}

// Adds the first error in the JSON document of diagnostics. Messages of environment errors are the
// same up to a colon: then follows what a program printed.
void AddFirstError(const std::string& document, Failure& failure) {
  const auto json = nlohmann::json::parse(document, nullptr, false);
  if (json.is_discarded() || !json.contains("diagnostics")) return;
  for (const auto& diagnostic : json["diagnostics"]) {
    if (diagnostic["severity"] != "error") continue;
    failure.message = diagnostic["message"].get<std::string>();
    failure.reason = diagnostic["kind"].get<std::string>();
    if (diagnostic["code"].is_string()) {
      failure.reason = diagnostic["code"].get<std::string>();
    } else if (failure.reason == "environment") {
      failure.reason = failure.message.substr(0, failure.message.find(':'));
    }
    return;
  }
}

}  // namespace

std::string DescribeFailure(const Failure& failure) {
  if (failure.exit_code > 128 && failure.reason.empty()) {
    return absl::StrCat("signal ", failure.exit_code - 128);
  }
  return absl::StrCat("exit code ", failure.exit_code, failure.reason.empty() ? "" : ", ",
                      failure.reason);
}

absl::StatusOr<FailingCommand> FailingCommand::Parse(absl::string_view text, std::string folder,
                                                     int seconds) {
  FailingCommand command;
  command.folder_ = std::move(folder);
  command.seconds_ = seconds;
  std::vector<std::string> words = SplitResponseWords(text);
  if (words.empty()) {
    return absl::InvalidArgumentError("option '--fails' must be a verb or a command; it is empty");
  }
  const FailingVerb* verb = FindFailingVerb(words[0]);
  // The shell would look for a program with the name of another verb.
  const bool is_shell = FindVerb(words[0]) == nullptr || absl::StrContains(text, kFilePlace);
  if (verb == nullptr && !is_shell) {
    const std::string verbs = absl::StrJoin(
        kFailingVerbs, ", ",
        [](std::string* out, const FailingVerb& each) { absl::StrAppend(out, each.name); });
    return absl::InvalidArgumentError(
        absl::StrCat("option '--fails' takes the verbs ", verbs, ", not '", words[0],
                     "'; a command of the shell has {} for the file"));
  }
  if (verb == nullptr) {
    command.shell_ = std::string(text);
    if (!absl::StrContains(text, kFilePlace)) absl::StrAppend(&command.shell_, " ", kFilePlace);
    return command;
  }
  if (!absl::c_linear_search(words, kFilePlace)) words.emplace_back(kFilePlace);
  words.emplace_back("--diagnostics=json");
  if (!verb->option.empty()) {
    const std::filesystem::path folder(command.folder_);
    words.push_back(
        absl::StrCat(verb->option, "=", (folder / std::string(verb->written)).string()));
  }
  const auto line = ParseArguments(words);
  if (!line.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("option '--fails': ", line.status().message()));
  }
  command.words_ = std::move(words);
  return command;
}

absl::StatusOr<Failure> FailingCommand::Run(const std::string& file) const {
  return words_.empty() ? RunShell(file) : RunVerb(file);
}

absl::StatusOr<Failure> FailingCommand::RunVerb(const std::string& file) const {
  std::vector<std::string> words = words_;
  for (std::string& word : words) {
    if (word == kFilePlace) word = file;
  }
  const std::string errors = (std::filesystem::path(folder_) / "errors.json").string();
  LATHE_ASSIGN_OR_RETURN(const CommandResult result,
                         RunInCopy(
                             [&] {
                               std::FILE* const err = std::fopen(errors.c_str(), "wb");
                               if (err == nullptr) return int{kExitEnvironment};
                               return RunLathe(words, {stdin, stdout, err});
                             },
                             {.seconds = seconds_}));
  Failure failure{result.exit_code, "", ""};
  LATHE_ASSIGN_OR_RETURN(const std::string document, ReadFile(errors));
  AddFirstError(document, failure);
  if (result.exit_code == kExitInternal) failure.reason = InternalErrorPlace(result.output);
  return failure;
}

absl::StatusOr<Failure> FailingCommand::RunShell(const std::string& file) const {
  const std::string text = absl::StrReplaceAll(shell_, {{kFilePlace, ShellWord(file)}});
  LATHE_ASSIGN_OR_RETURN(const CommandResult result,
                         RunCommand({"sh", "-c", text}, {.seconds = seconds_}));
  // What a shell returns if it cannot run the command.
  if (result.exit_code == 126 || result.exit_code == 127) {
    return absl::UnavailableError(absl::StrCat("the command of '--fails' cannot be run:\n",
                                               absl::StripAsciiWhitespace(result.output)));
  }
  return Failure{result.exit_code, "", ""};
}

}  // namespace lathe::driver
