#include "generator/driver/cli/response_file.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Stops files that include themselves.
constexpr int kMaxDepth = 16;
constexpr uint64_t kMaxBytes = uint64_t{1} << 20;
constexpr size_t kMaxWords = 1 << 16;

absl::Status Expand(absl::Span<const std::string> args, int depth, bool& ended,
                    std::vector<std::string>& out) {
  for (const std::string& arg : args) {
    ended = ended || arg == "--";
    if (!ended && arg.size() > 1 && arg[0] == '@') {
      if (auto text = ReadFile(arg.substr(1), kMaxBytes); text.ok()) {
        if (depth == kMaxDepth) {
          return absl::ResourceExhaustedError(
              absl::StrCat("'", arg, "': response files are nested deeper than ", kMaxDepth));
        }
        LATHE_RETURN_IF_ERROR(Expand(SplitResponseWords(*text), depth + 1, ended, out));
        continue;
      }
    }
    if (out.size() == kMaxWords) {
      return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxWords, " arguments"));
    }
    out.push_back(arg);
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> SplitResponseWords(absl::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && absl::ascii_isspace(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\\' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  return words;
}

absl::StatusOr<std::vector<std::string>> ExpandResponseFiles(absl::Span<const std::string> args) {
  std::vector<std::string> out;
  bool ended = false;
  LATHE_RETURN_IF_ERROR(Expand(args, 0, ended, out));
  return out;
}

}  // namespace lathe::driver
