// A text to be lexed, and where in the user's files its bytes stand.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

struct LexInput {
  absl::string_view text;
  TextSpan origin;
  // Byte i of `text` is byte origin.begin + i of the file. When not (the text of a string literal
  // with escapes), whatever is found stands for the whole of `origin`.
  bool verbatim = true;
  // A file has lines and indentation; an expression in quotes is one line however it is broken.
  bool is_file = true;

  TextSpan Span(uint32_t begin, uint32_t end) const {
    if (!verbatim) return origin;
    return {origin.file, origin.begin + begin, origin.begin + end};
  }
  // The byte at `at`, or 0 past the end; a NUL in a file has been refused before (encoding.h).
  char At(uint32_t at) const { return at < text.size() ? text[at] : '\0'; }
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_INPUT_H_
