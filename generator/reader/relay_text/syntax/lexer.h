// Splits Relay text into tokens. Comments and blanks are skipped: `//`, nested `/* */`, and `#` up
// to the end of the line, as the language reference writes it.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_LEXER_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_LEXER_H_

#include <cstdint>
#include <vector>

#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relay {

enum class TokenKind : uint8_t {
  kEnd,
  kName,      // add, let
  kLocal,     // %x
  kGraph,     // %0
  kGlobal,    // @main
  kNumber,    // 1, 2i64, 1.5f, inff
  kString,    // "text", with its quotes
  kSymbol,    // one of ( ) { } [ ] < > , ; : . = + - * / ? _ => -> == != <= >= && match?
  kVersion,   // #[version = "0.0.5"]
  kMetadata,  // #[metadata] and everything after it
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t begin = 0, end = 0;  // bytes of the file
};

// Returns the tokens of `file`. Reports and skips invalid characters. The last token is kEnd.
std::vector<Token> Tokenize(const SourceFile& file, Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_LEXER_H_
