// The words of a TVMScript file; token.def lists them.
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

// Bytes [begin, end) of the text being read.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool first_on_line = false;
  uint32_t begin = 0;
  uint32_t end = 0;
};

// "'+'", "'lambda'", "a name": how a message calls such a token.
absl::string_view Describe(TokenKind kind);

bool IsKeyword(TokenKind kind);
// The keyword that `name` is, or kName.
TokenKind KeywordOrName(absl::string_view name);

// What opens or closes a bracket.
bool IsOpening(TokenKind kind);
bool IsClosing(TokenKind kind);
TokenKind ClosingOf(TokenKind opening);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_TOKEN_H_
