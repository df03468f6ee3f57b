#include "generator/driver/origin.h"

#include <algorithm>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/report/version.h"
#include "generator/support/sha256.h"
#include "generator/support/status.h"

namespace lathe::driver {
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

// Returns `word` as a shell reads it.
std::string Quoted(absl::string_view word) {
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("_-+=:.,/%@", c);
  };
  if (!word.empty() && absl::c_all_of(word, is_plain)) return std::string(word);
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
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

std::string FileName(absl::string_view path) {
  return std::filesystem::path(std::string(path)).filename().string();
}

std::string CommandAgain(const Verb& verb, const Arguments& args) {
  std::string command = absl::StrCat("lathe ", verb.name);
  for (const std::string& operand : args.operands) {
    absl::StrAppend(&command, " ", Quoted(FileName(operand)));
  }
  for (const auto& [option, value] : args.given) {
    if (absl::c_linear_search(kWithoutEffect, option->name)) continue;
    const bool is_path = option->name == kParamsOption.name || option->name == kLikeOption.name;
    const std::string given = Quoted(is_path ? FileName(value) : value);
    if (option->value.empty()) {
      absl::StrAppend(&command, " ", option->name);
    } else if (option->letter != 0) {
      absl::StrAppend(&command, " -", std::string(1, option->letter), " ", given);
    } else {
      absl::StrAppend(&command, " ", option->name, "=", given);
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
