#include "generator/emit/text/comment_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "generator/support/utf8.h"

namespace lathe::emit {
namespace {

// Returns whether two adjacent characters have a meaning: comment delimiters, trigraphs, or the
// marks of stamps (bundle/stamp_files.h).
bool MeansSomething(char before, char c) {
  if (before == '@') return absl::ascii_isalpha(static_cast<unsigned char>(c));
  return (before == '*' && c == '/') || (before == '/' && c == '*') || (before == '?' && c == '?');
}

void AppendChar(absl::string_view text, size_t& at, std::string& out) {
  const char c = text[at];
  if (absl::ascii_isprint(static_cast<unsigned char>(c))) {
    if (!out.empty() && MeansSomething(out.back(), c)) out += ' ';
    out += c;
    ++at;
    return;
  }
  const int length = Utf8Length(text, at);
  if (c == '\t' || c == '\r' || c == '\n') {
    out += ' ';
  } else if (length < 2) {
    absl::StrAppendFormat(&out, "<%02X>", static_cast<unsigned char>(c));
  } else {
    absl::StrAppendFormat(&out, "<U+%04X>", DecodeChar(text, at).code);
  }
  at += static_cast<size_t>(std::max(length, 1));
}

std::string Line(absl::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (out.size() >= kMaxCommentBytes) {
      out += "...";
      break;
    }
    AppendChar(text, at, out);
  }
  // A backslash at the end joins the next line. Some compilers ignore spaces after it.
  if (absl::EndsWith(absl::StripTrailingAsciiWhitespace(out), "\\")) out += '.';
  return out;
}

}  // namespace

CComment CommentText(absl::string_view text) { return CComment(Line(text)); }

CComment CommentLines(absl::string_view text) {
  std::string out;
  size_t count = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (count != 0) out += "\n * ";
    if (++count > kMaxCommentLines) {
      out += "...";
      break;
    }
    out += Line(line);
  }
  return CComment(std::move(out));
}

}  // namespace lathe::emit
