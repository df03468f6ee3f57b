#include "generator/emit/text/wrap_lines.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace lathe::emit {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kIndent = 4;

bool MayBeCut(absl::string_view line) {
  const size_t start = line.find_first_not_of(' ');
  if (line.size() <= kColumns || start == line.npos) return false;
  const absl::string_view words = line.substr(start);
  return !absl::StartsWith(words, "#") && !absl::StartsWith(words, "*") &&
         !absl::StartsWith(words, "/") && !absl::StrContains(words, '"') &&
         !absl::EndsWith(words, "\\");
}

bool Opens(absl::string_view line, size_t i) {
  const char c = line[i];
  return c == '(' || c == '[' || c == '{' || (c == '<' && i > 0 && line[i - 1] != ' ');
}

// Returns whether the character closes a bracket. The `>` of an arrow or a comparison does not.
bool Closes(absl::string_view line, size_t i) {
  const char c = line[i];
  return c == ')' || c == ']' || c == '}' ||
         (c == '>' && i > 0 && line[i - 1] != ' ' && line[i - 1] != '-');
}

// Returns the position at which to break the line: after a comma, before a binary operator, or, if
// these are nested deeper, after an opening parenthesis. Prefers the least nested position in the
// second half of the first `most` characters, then the last. Returns 0 if there is none.
size_t CutOf(absl::string_view line, size_t most) {
  size_t best = 0;
  int depth = 0, best_cost = 0;
  for (size_t i = 0; i + 1 < std::min(line.size(), most); ++i) {
    if (absl::StartsWith(line.substr(i), "//")) break;
    if (absl::StartsWith(line.substr(i), "/*")) {
      const size_t end = line.find("*/", i);
      if (end == line.npos) break;
      i = end + 1;
      continue;
    }
    if (Opens(line, i)) ++depth;
    if (Closes(line, i)) --depth;
    const bool opens = line[i] == '(' && line[i + 1] != ')';
    size_t cut = opens ? i + 1 : 0;
    if (absl::StartsWith(line.substr(i), ", ")) cut = i + 2;
    for (absl::string_view op : {" && ", " || ", " + ", " * ", " ? ", " : "}) {
      if (absl::StartsWith(line.substr(i), op)) cut = i + 1;
    }
    const int cost = 2 * depth + (opens ? 1 : 0);
    if (cut < most / 2 || (best != 0 && cost > best_cost)) continue;
    best = cut;
    best_cost = cost;
  }
  return best;
}

void AppendCut(absl::string_view line, std::string& out) {
  const std::string indent(line.find_first_not_of(' ') + kIndent, ' ');
  std::string start(indent.size() - kIndent, ' ');
  line.remove_prefix(start.size());
  while (start.size() + line.size() > kColumns && start.size() < kColumns / 2) {
    const size_t cut = CutOf(line, kColumns - start.size());
    if (cut == 0) break;
    absl::StrAppend(&out, start, absl::StripSuffix(line.substr(0, cut), " "), "\n");
    line.remove_prefix(cut);
    start = indent;
  }
  absl::StrAppend(&out, start, line);
}

// A line with a comment only, which is longer than a line may be.
bool IsLongComment(absl::string_view line) {
  const size_t start = line.find_first_not_of(' ');
  return line.size() > kColumns && absl::StartsWith(line.substr(start), "/* ") &&
         line.find("*/") == line.size() - 2;
}

// Breaks a comment at blanks.
void AppendComment(absl::string_view line, std::string& out) {
  const size_t indent = line.find_first_not_of(' ');
  const std::string start(indent, ' ');
  size_t most = kColumns;
  while (line.size() > most) {
    const size_t cut = line.rfind(' ', most);
    // The blanks of the start, and the one after "/*".
    if (cut == line.npos || cut <= indent + 2) break;
    absl::StrAppend(&out, line.substr(0, cut), "\n", start, " * ");
    line.remove_prefix(cut + 1);
    most = kColumns - indent - 3;
  }
  absl::StrAppend(&out, line);
}

}  // namespace

void WrapLines(std::string& text) {
  std::string out;
  size_t done = 0;  // `out` has the text before this position
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const absl::string_view line = absl::string_view(text).substr(at, end - at);
    const bool comment = IsLongComment(line);
    if (comment || MayBeCut(line)) {
      absl::StrAppend(&out, absl::string_view(text).substr(done, at - done));
      (comment ? AppendComment : AppendCut)(line, out);
      done = end;
    }
    at = end + 1;
  }
  if (done == 0) return;
  absl::StrAppend(&out, absl::string_view(text).substr(done));
  text = std::move(out);
}

}  // namespace lathe::emit
