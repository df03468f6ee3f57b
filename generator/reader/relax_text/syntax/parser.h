// Holds the state that all parsing functions share: the lexer, one token of lookahead, the tree
// under construction, and the errors.
//
// A parsing function starts at the first token of its construct and ends after the last one. A
// function that returns null (or false) has reported an error and leaves the parser where it
// stopped. Its callers also fail, up to parse_block.h, which continues at the next statement.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSER_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSER_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/lex_input.h"
#include "generator/reader/relax_text/syntax/lexer.h"
#include "generator/reader/relax_text/syntax/syntax_errors.h"
#include "generator/reader/relax_text/syntax/syntax_tree.h"
#include "generator/reader/relax_text/syntax/token.h"

namespace lathe::relax_text {

// Collects items before they are copied into the tree.
template <typename T>
using Gathered = absl::InlinedVector<T, 8>;

class Parser {
 public:
  Parser(SyntaxTree& tree, const LexInput& input, SyntaxErrors& errors)
      : tree_(tree), errors_(errors), lexer_(input, errors), token_(lexer_.Next()) {}

  const Token& token() const { return token_; }
  uint32_t begin() const { return token_.begin; }
  // Returns the end of the last token consumed, not counting line ends, indents and dedents.
  uint32_t last_end() const { return last_end_; }

  bool At(TokenKind kind) const { return token_.kind == kind; }
  void Advance();
  bool Accept(TokenKind kind) {
    if (!At(kind)) return false;
    Advance();
    return true;
  }
  // Consumes a token of kind `kind`, or reports "expected ':' after the condition, got ...".
  // `after` is "after the condition" in this example and may be empty.
  bool Expect(TokenKind kind, absl::string_view after);
  // Consumes a name into `name`, or reports "expected the function's name, got ...".
  bool ExpectName(absl::string_view what, Token& name);

  absl::string_view Text(const Token& token) const {
    return lexer_.input().text.substr(token.begin, token.end - token.begin);
  }
  TextSpan Span(const Token& token) const { return lexer_.input().Span(token.begin, token.end); }
  // The span from byte `begin` to the end of the last token consumed.
  TextSpan SpanFrom(uint32_t begin) const { return lexer_.input().Span(begin, last_end_); }

  // Reports an unexpected token: "expected ',' or ')', got 'x'". If the cause is an unclosed
  // bracket, reports that instead. Reports no error for a kError token, which the lexer has already
  // reported.
  void Unexpected(absl::string_view wanted, absl::string_view help = "");
  // Reports another syntax error.
  DiagnosticBuilder Error(TextSpan span) { return errors_.Error(span, "syntax-error"); }

  // Adds a node that starts at byte `begin` and ends with the last token consumed. Returns null,
  // after a diagnostic, if the tree exceeds a limit.
  const ast::Expr* Make(uint32_t begin, const ast::Expr::Node& node);
  const ast::Stmt* MakeStmt(uint32_t begin, const ast::Stmt::Node& node) {
    return tree_.Add(SpanFrom(begin), node);
  }

  SyntaxTree& tree() { return tree_; }
  SyntaxErrors& errors() { return errors_; }
  Lexer& lexer() { return lexer_; }
  const Lexer& lexer() const { return lexer_; }

  // Counts one level of recursion during its lifetime. ok() is false, after a diagnostic, beyond
  // the limit.
  class Nesting {
   public:
    explicit Nesting(Parser& p);
    ~Nesting() { --p_.depth_; }
    Nesting(const Nesting&) = delete;
    bool ok() const { return ok_; }

   private:
    Parser& p_;
    bool ok_;
  };

  // Enters a block or an elif. Returns false, after a diagnostic, beyond the limit.
  bool EnterBlock();
  void LeaveBlocks(int count) { block_depth_ -= count; }

 private:
  SyntaxTree& tree_;
  SyntaxErrors& errors_;
  Lexer lexer_;
  Token token_;
  uint32_t last_end_ = 0;
  int depth_ = 0;
  int block_depth_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSER_H_
