#include "generator/emit/c/kernel/identifiers.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace lathe::emit {
namespace {

// Returns the position after the string literal that begins at `at`.
size_t EndOfLiteral(absl::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

std::vector<std::string> Identifiers(absl::string_view text) {
  std::vector<std::string> found;
  const auto part = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t i = 0; i < text.size();) {
    if (absl::StartsWith(text.substr(i), "/*")) {
      const size_t end = text.find("*/", i);
      i = end == text.npos ? text.size() : end + 2;
      continue;
    }
    if (text[i] == '"') {
      i = EndOfLiteral(text, i);
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && part(text[i])) ++i;
    const absl::string_view before = text.substr(0, begin);
    if (i == begin) {
      ++i;
    } else if (!absl::EndsWith(before, "->") && !absl::EndsWith(before, ".")) {
      found.emplace_back(text.substr(begin, i - begin));
    }
  }
  return found;
}

}  // namespace lathe::emit
