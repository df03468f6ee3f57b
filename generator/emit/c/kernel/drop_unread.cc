#include "generator/emit/c/kernel/drop_unread.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/emit/c/kernel/identifiers.h"
#include "generator/emit/c/kernel/kernel_sizes.h"

namespace lathe::emit {
namespace {

// Returns the variable that an assignment or definition sets: "to" for "to = ", "int64_t to = " and
// "const float *to = ". `left` is the text before the "=". Returns an empty text for a store to
// memory or to a member: "*to = ", "out->to = ".
std::string SetBy(absl::string_view left) {
  left = absl::StripAsciiWhitespace(left);
  const auto names = Identifiers(left);
  const bool plain = left.find_first_of("[(.>") == left.npos && !absl::StartsWith(left, "*");
  return plain && !names.empty() && absl::EndsWith(left, names.back()) ? names.back() : "";
}

struct CodeLine {
  std::string text;
  std::string sets;                // the local variable that the line only sets, or empty
  std::vector<std::string> reads;  // all other identifiers in the line
  bool gone = false;               // true if the line is removed
};

}  // namespace

std::string DropUnread(std::string body, const std::vector<std::string>& locals) {
  if (locals.empty()) return body;
  const absl::flat_hash_set<std::string> known(locals.begin(), locals.end());
  std::vector<CodeLine> lines;
  absl::flat_hash_map<std::string, int> reads;
  absl::flat_hash_map<std::string, std::vector<size_t>> setters;
  for (absl::string_view text : absl::StrSplit(body, '\n')) {
    CodeLine line{std::string(text), "", {}};
    const size_t equals = text.find(" = ");
    const bool statement = equals != text.npos && absl::EndsWith(text, ";");
    const std::string set = statement ? SetBy(text.substr(0, equals)) : "";
    if (known.contains(set)) {
      line.sets = set;
      setters[set].push_back(lines.size());
    }
    line.reads = Identifiers(line.sets.empty() ? text : text.substr(equals));
    for (const std::string& name : line.reads) ++reads[name];
    lines.push_back(std::move(line));
  }
  std::vector<std::string> unread;
  for (const std::string& name : locals) {
    if (reads[name] == 0) unread.push_back(name);
  }
  while (!unread.empty()) {
    const std::string name = unread.back();
    unread.pop_back();
    for (size_t at : setters[name]) {
      if (lines[at].gone) continue;
      lines[at].gone = true;
      for (const std::string& read : lines[at].reads) {
        if (--reads[read] == 0 && known.contains(read)) unread.push_back(read);
      }
    }
  }
  std::vector<std::string> left;
  for (CodeLine& line : lines) {
    if (!line.gone) left.push_back(std::move(line.text));
  }
  return absl::StrJoin(left, "\n");
}

std::string DropUnread(std::string body, const CScope& scope) {
  body = DropUnread(std::move(body), scope.lets);
  for (const std::string& name : scope.arrays) {
    const size_t at = body.find(absl::StrCat(" ", name, "["));
    const size_t line = at == body.npos ? 0 : body.rfind('\n', at) + 1;
    const size_t end = body.find('\n', at);
    if (at == body.npos || end == body.npos || MentionsName(body.substr(end), name)) continue;
    body.erase(line, end + 1 - line);
  }
  for (const std::string& name : scope.given) {
    const size_t at = body.find(absl::StrCat(" ", name, " = "));
    const size_t line = body.rfind('\n', at) + 1;
    const size_t end = body.find('\n', at);
    if (at == body.npos || end == body.npos || MentionsName(body.substr(end), name)) continue;
    const size_t first = body.find_first_not_of(' ', line);
    body.replace(first, at + name.size() + 4 - first, "(void)");
  }
  return body;
}

std::string WithParamsRead(const std::vector<std::string>& params, std::string body) {
  std::string unread;
  for (const std::string& name : params) {
    if (!MentionsName(body, name)) absl::StrAppend(&unread, "(void)", name, ";\n");
  }
  return unread + body;
}

}  // namespace lathe::emit
