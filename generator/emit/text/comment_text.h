// Escapes names and messages of the program for comments in generated files.
#ifndef LATHE_EMIT_TEXT_COMMENT_TEXT_H_
#define LATHE_EMIT_TEXT_COMMENT_TEXT_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// The length at which a line is truncated.
inline constexpr size_t kMaxCommentBytes = 240;
// The number of lines at which a comment is truncated.
inline constexpr size_t kMaxCommentLines = 200;

// Text that is safe in a C comment: it cannot end the comment. It is used as "/* " + text + " */"
// or as a line after " * ". Only CommentText and CommentLines create one.
class CComment {
 public:
  const std::string& str() const { return text_; }
  operator const std::string&() const { return text_; }
  operator absl::string_view() const { return text_; }
  operator absl::AlphaNum() const { return absl::AlphaNum(text_); }

 private:
  friend CComment CommentText(absl::string_view);
  friend CComment CommentLines(absl::string_view);
  explicit CComment(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// Returns `text` as one line of printable ASCII. A tab, CR or LF becomes a space, other characters
// become <U+202E>, and bytes that are not UTF-8 become <FF>. A space splits */, /*, ??, and an @
// before a letter, so that the result has no delimiter of a comment, no trigraph and no mark of
// bundle/stamp_files.h. It does not end with a backslash.
CComment CommentText(absl::string_view text);
// Returns `text` of several lines, escaped line by line. All lines but the first begin with " * ".
CComment CommentLines(absl::string_view text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_COMMENT_TEXT_H_
