#include "generator/driver/origin.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/name_option.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/report/version.h"
#include "generator/support/sha256.h"
#include "generator/support/shell_word.h"
#include "generator/support/status.h"

namespace lathe::driver {

std::string FileName(absl::string_view path) {
  while (path.size() > 1 && absl::EndsWith(path, "/")) path.remove_suffix(1);
  return std::filesystem::path(std::string(path)).filename().string();
}

namespace {

constexpr size_t kMaxLine = 96;
// Models with more files name the first ones.
constexpr size_t kMaxFiles = 8;

// Options that change no file of the bundle: places, measures, budgets and reports.
constexpr absl::string_view kWithoutEffect[] = {
    "--output",  "--cc",        "--cflags",    "--cflags-only",  "--stack-of",
    "--max-ram", "--max-arena", "--max-flash", "--max-stack",    "-MD",
    "-MF",       "-MT",         "--json",      "--list-outputs", "--diagnostics",
    "--color",   "-W",          "--quiet",     "--max-errors"};

// Returns `word` as a shell reads it, in quotes only where it needs them.
std::string Quoted(absl::string_view word) {
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("_-+=:.,/%@", c);
  };
  if (!word.empty() && absl::c_all_of(word, is_plain)) return std::string(word);
  return ShellWord(word);
}

// Returns whether all values of the option count, not only the last one.
bool Repeats(absl::string_view option) {
  constexpr absl::string_view kRepeated[] = {"--name", "--dim",    "--outputs",        "--tap",
                                             "--pool", "--stream", "--stream-padding", "--like"};
  return absl::c_linear_search(kRepeated, option);
}

// Returns whether the option has the value that it has without being given.
bool IsDefault(const Option& option, absl::string_view value, const Arguments& args) {
  constexpr std::pair<absl::string_view, absl::string_view> kDefaults[] = {
      {"--target", "generic-c99"}, {"--weights", "words"},         {"--externs", "link"},
      {"--package", "plain"},      {"--package-version", "1.0.0"}, {"--seed", "1"},
      {"--numerics", "fused"}};
  if (absl::c_linear_search(kDefaults, std::pair(option.name, value))) return true;
  if (option.name != "--name" || args.operands.size() != 1) return false;
  Arguments unnamed = args;
  std::erase_if(unnamed.given, [&](const auto& given) { return given.first == &option; });
  const auto name = ReadNameOption(unnamed, false, false);
  return name.ok() && *name == value;
}

std::string OptionText(const Option& option, absl::string_view value) {
  if (option.value.empty()) return std::string(option.name);
  const bool is_path = option.name == kParamsOption.name || option.name == kLikeOption.name;
  const std::string given = Quoted(is_path ? FileName(value) : value);
  if (option.letter == 0) return absl::StrCat(option.name, "=", given);
  return absl::StrCat("-", std::string(1, option.letter), " ", given);
}

// Appends `label` and `text` in lines; all but the first begin with two spaces.
void AppendLines(absl::string_view label, absl::string_view text, std::vector<std::string>& lines) {
  std::string line(label);
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (line != label && line.size() + 1 + word.size() > kMaxLine) {
      lines.push_back(std::move(line));
      line = " ";
    }
    absl::StrAppend(&line, " ", word);
  }
  lines.push_back(std::move(line));
}

}  // namespace

std::string CommandAgain(const Verb& verb, const Arguments& args) {
  std::string command = absl::StrCat("lathe ", verb.name);
  for (const std::string& operand : args.operands) {
    absl::StrAppend(&command, " ", Quoted(FileName(operand)));
  }
  for (const Option* option : args.declared) {
    if (absl::c_linear_search(kWithoutEffect, option->name)) continue;
    std::vector<absl::string_view> values = args.Values(option->name);
    if (values.empty() || IsDefault(*option, values.back(), args)) continue;
    if (!Repeats(option->name)) values.erase(values.begin(), values.end() - 1);
    for (const absl::string_view value : values) {
      absl::StrAppend(&command, " ", OptionText(*option, value));
    }
  }
  return command;
}

absl::StatusOr<std::vector<std::string>> OriginLines(const std::string& command,
                                                     const SourceFile& model,
                                                     const std::vector<std::string>& further) {
  std::vector<std::string> lines;
  AppendLines("version:", absl::StrCat("lathe ", Version()), lines);
  AppendLines("command:", command, lines);
  AppendLines("model:", absl::StrCat(FileName(model.path()), ", SHA-256 ", Sha256Of(model.text())),
              lines);
  for (size_t i = 0; i < std::min(further.size(), kMaxFiles); ++i) {
    LATHE_ASSIGN_OR_RETURN(const std::string sum, Sha256OfFile(further[i]));
    AppendLines("with:", absl::StrCat(FileName(further[i]), ", SHA-256 ", sum), lines);
  }
  if (further.size() > kMaxFiles) {
    AppendLines("with:", absl::StrCat(further.size() - kMaxFiles, " more files"), lines);
  }
  return lines;
}

}  // namespace lathe::driver
