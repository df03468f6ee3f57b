// Lexes Python strings: '...', "...", their triple forms, prefixes and escapes.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

// Returns the length of the string prefix (r, b, u, f, br, rf, ..., in either case) at `at`; 0 if
// the string has no prefix; -1 if no string starts at `at`.
int StringPrefixLength(const LexInput& input, uint32_t at);

// Returns the string token that starts at `begin` with a prefix of `prefix_length` bytes. An
// unterminated string is diagnosed and returned as kError.
Token LexString(const LexInput& input, uint32_t begin, int prefix_length, SyntaxErrors& errors);

// The parts of a kString token: the range of its content, and whether it is a raw string.
struct StringParts {
  uint32_t content_begin;
  uint32_t content_end;
  bool raw;
};
StringParts PartsOf(const LexInput& input, const Token& string);

// Returns true if the value of the string equals its source text: no escapes and no carriage
// returns.
bool IsVerbatim(const LexInput& input, const StringParts& parts);

// Appends the value of the string to `out`. Returns false if an invalid escape was diagnosed.
bool AppendValue(const LexInput& input, const StringParts& parts, std::string& out,
                 SyntaxErrors& errors);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_
