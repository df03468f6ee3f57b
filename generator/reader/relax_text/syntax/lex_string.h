// Strings as Python writes them: '...', "...", and their triple forms, with prefixes and escapes.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

// The length of the prefix (r, b, u, f, br, rf ..., in either case) at `at` if a quote follows
// it, 0 for a bare quote; -1 when no string starts here.
int StringPrefixLength(const LexInput& input, uint32_t at);

// The string that starts at `begin` with a prefix of this length. One that does not end is
// diagnosed and comes back as kError.
Token LexString(const LexInput& input, uint32_t begin, int prefix_length, SyntaxErrors& errors);

// The parts of a kString token.
struct StringParts {
  uint32_t content_begin;
  uint32_t content_end;
  bool raw;
};
StringParts PartsOf(const LexInput& input, const Token& string);

// Whether the value of the string is its very text: no escapes, no carriage returns.
bool IsVerbatim(const LexInput& input, const StringParts& parts);

// Appends the value of the string. Returns false after a diagnosed escape.
bool AppendValue(const LexInput& input, const StringParts& parts, std::string& out,
                 SyntaxErrors& errors);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEX_STRING_H_
