// Names and messages of the program in comments of generated files, whatever is in them.
#ifndef LATHE_EMIT_TEXT_COMMENT_TEXT_H_
#define LATHE_EMIT_TEXT_COMMENT_TEXT_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// Of a line, what is longer is cut off.
inline constexpr size_t kMaxCommentBytes = 240;
// Of a comment.
inline constexpr size_t kMaxCommentLines = 200;

// Text that stays in the comment it is put into: "/* " + text + " */", or a line of a comment that
// begins with " * ". Made by CommentText alone.
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

// `text` on one line, printable ASCII: other characters are written as <U+202E>, bytes that are no
// UTF-8 as <FF>. Neither ends nor begins a comment, nor a line that goes on after a backslash.
CComment CommentText(absl::string_view text);
// The same for text of several lines, each of which begins with " * " but the first.
CComment CommentLines(absl::string_view text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_COMMENT_TEXT_H_
