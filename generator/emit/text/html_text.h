// Escapes names and messages of the program for HTML pages.
#ifndef LATHE_EMIT_TEXT_HTML_TEXT_H_
#define LATHE_EMIT_TEXT_HTML_TEXT_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// The length at which a text of the program is truncated in a page.
inline constexpr size_t kMaxHtmlBytes = 400;

// Text that is safe as the content of an element and as an attribute in quotes: it has no markup.
// Only EscapeHtml creates one.
class HtmlText {
 public:
  const std::string& str() const { return text_; }
  operator const std::string&() const { return text_; }
  operator absl::string_view() const { return text_; }
  operator absl::AlphaNum() const { return absl::AlphaNum(text_); }

 private:
  friend HtmlText EscapeHtml(absl::string_view);
  explicit HtmlText(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// JSON that is safe as the content of a script element: it cannot end the element or begin a
// comment. Only JsonForScript creates one.
class HtmlJson {
 public:
  const std::string& str() const { return text_; }

 private:
  friend HtmlJson JsonForScript(absl::string_view);
  explicit HtmlJson(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// Returns `text` as one line of valid UTF-8. Characters that a reader cannot see, or that change
// the order of others, become <U+202E>, and bytes that are not UTF-8 become <FF>.
std::string VisibleText(absl::string_view text);

// Returns VisibleText(text) without truncation.
std::string VisibleLine(absl::string_view text);

// Returns generated source as visible text. Line breaks and tabs are kept, and nothing is
// truncated.
std::string VisibleSource(absl::string_view source);

// Returns VisibleText(text) with the characters of markup as entities.
HtmlText EscapeHtml(absl::string_view text);

// Returns the document `json` with the characters of markup as escapes (backslash, u003c). In
// JSON they can occur only in strings, so the document means the same.
HtmlJson JsonForScript(absl::string_view json);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_HTML_TEXT_H_
