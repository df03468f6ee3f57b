// Defines the tokens of a TVMScript file; token.def lists them.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_TOKEN_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_TOKEN_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::relax_text {

enum class TokenKind : uint8_t {
#define TOKEN(kind, description) kind,
#define OPERATOR(kind, spelling) kind,
#define KEYWORD(kind, spelling) kind,
#include "generator/reader/relax_text/syntax/token.def"
};

// A token: bytes [begin, end) of the text being lexed.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool first_on_line = false;
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Returns the name of a token kind in messages: "'+'", "'lambda'", "a name".
absl::string_view Describe(TokenKind kind);

bool IsKeyword(TokenKind kind);
// Returns the kind of the keyword `name`, or kName if it is not a keyword.
TokenKind KeywordOrName(absl::string_view name);

// IsOpening and IsClosing classify brackets. ClosingOf returns the bracket that closes `opening`.
bool IsOpening(TokenKind kind);
bool IsClosing(TokenKind kind);
TokenKind ClosingOf(TokenKind opening);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_TOKEN_H_
