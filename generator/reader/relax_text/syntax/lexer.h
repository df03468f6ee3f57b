// Splits a TVMScript file into tokens, one at a time, by the rules of Python: line ends and
// indentation are tokens outside of brackets and are ignored inside.
//
//   if x:            if  x  :  NEWLINE
//     f(a,           INDENT  f  (  a  ,
//       b)  # sum    b  )  NEWLINE
//                    DEDENT  END
//
// Invalid tokens are diagnosed by the lexer and returned as kError.
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
  // `errors` must outlive the lexer.
  Lexer(const LexInput& input, SyntaxErrors& errors);

  Token Next();

  const LexInput& input() const { return input_; }

  // Returns the opening token of the innermost open bracket, or null.
  const Token* open_bracket() const { return brackets_.empty() ? nullptr : &brackets_.back(); }
  // Returns true if a bracket is open and `token` looks like the start of a new statement: it is
  // the first token on its line and not indented more than its block.
  bool LooksLikeNewStatement(const Token& token) const;
  // Discards all open brackets and restarts at the line of `token`, which must be the last token
  // returned and the first on its line. The next token is the kNewline before that line.
  void RestartAt(const Token& token);

  // Returns a copy that continues from here and reports its errors to `muted`.
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
