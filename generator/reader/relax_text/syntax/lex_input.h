// Holds a text to be lexed, and the position of its bytes in the file.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

struct LexInput {
  absl::string_view text;
  TextSpan origin;
  // True if byte i of `text` is byte origin.begin + i of the file. False for the decoded text of a
  // string literal with escapes: then all tokens have the span `origin`.
  bool verbatim = true;
  // True for a file, which has lines and indentation. False for an expression in quotes, in which
  // line breaks have no meaning.
  bool is_file = true;

  TextSpan Span(uint32_t begin, uint32_t end) const {
    if (!verbatim) return origin;
    return {origin.file, origin.begin + begin, origin.begin + end};
  }
  // Returns the byte at `at`, or 0 past the end. Files contain no NUL bytes (encoding.h).
  char At(uint32_t at) const { return at < text.size() ? text[at] : '\0'; }
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_
