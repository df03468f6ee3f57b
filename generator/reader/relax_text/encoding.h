// Is it text at all? The lexer relies on what is checked here: UTF-8 without NULs.
#ifndef LATHE_READER_RELAX_TEXT_ENCODING_H_
#define LATHE_READER_RELAX_TEXT_ENCODING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/lex_input.h"
#include "generator/reader/relax_text/syntax_errors.h"

namespace lathe::relax_text {

// Reports the first byte that is not UTF-8 text, and stops the reading there: the rest of such a
// file is noise. Returns whether all is well.
bool CheckEncoding(const LexInput& input, SyntaxErrors& errors);

// The character that starts at `at` in valid UTF-8, and its length in bytes.
struct DecodedChar {
  uint32_t code;
  int length;
};
DecodedChar DecodeChar(absl::string_view text, size_t at);

// The bytes of `code` in UTF-8, appended to `out`. Surrogates and codes past U+10FFFF are the
// caller's to refuse.
void AppendUtf8(uint32_t code, std::string& out);

// False for characters beyond ASCII that are no part of any word: quotes, dashes, spaces, arrows,
// mathematical operators, symbols. Looser than CPython's table of identifiers in rare scripts.
bool MayBeInName(uint32_t code);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ENCODING_H_
