// Splits a TVMScript file into tokens, one at a time, the way Python does: lines and indentation
// are tokens outside brackets and nothing inside.
//
//   if x:            if  x  :  NEWLINE
//     f(a,           INDENT  f  (  a  ,
//       b)  # sum    b  )  NEWLINE
//                    DEDENT  END
//
// What is no token is diagnosed here and comes as kError.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LEXER_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LEXER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/reader/relax_text/syntax/indentation.h"
#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

class Lexer {
 public:
  // `errors` outlives the lexer.
  Lexer(const LexInput& input, SyntaxErrors& errors);

  Token Next();

  const LexInput& input() const { return input_; }

  // The innermost bracket that is open, if any; the token is its opening half.
  const Token* open_bracket() const { return brackets_.empty() ? nullptr : &brackets_.back(); }
  // Whether `token` is the first on its line and no further right than the block it is in, as
  // a new statement would be.
  bool LooksLikeNewStatement(const Token& token) const;
  // Forgets all open brackets and takes the line of `token`, the last one read and the first on
  // its line, for a new one: the next token ends the line before.
  void RestartAt(const Token& token);

  // A copy that reads on from here without a word.
  Lexer Lookahead(SyntaxErrors& muted) const;

 private:
  std::optional<Token> StartLine();
  std::optional<Token> Indent(Column column);
  bool SkipBlanksAndComments();
  Token EndLine();
  Token LexName();
  Token LexOperator();
  Token LexInvalidChar();
  Token OpenBracket(Token token);
  Token CloseBracket(Token token);
  Token Unclosed();
  void SkipComment();
  void ReportNothingContinued();
  void SkipLineEnd();
  Token TokenFrom(TokenKind kind, uint32_t begin) const { return {kind, false, begin, at_}; }

  LexInput input_;
  SyntaxErrors* errors_;
  uint32_t at_ = 0;
  Indentation indentation_;
  std::vector<Token> brackets_;
  bool at_line_start_;
  bool line_has_tokens_ = false;
  bool new_line_in_brackets_ = false;
  bool tabs_reported_ = false;
  bool pending_newline_ = false;
  int pending_dedents_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LEXER_H_
