// What every parsing function works on: the tokens of one text, one ahead, the tree that grows
// and the errors that are found.
//
// A parsing function takes a Parser& that stands at the first token of what it reads and leaves
// it past the last. One that comes back with null (or false) has reported why and leaves the
// parser where it stopped; whoever reads the statement around it gives up too, and parse_block.h
// goes on at the next statement.
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

// Items on their way into the tree.
template <typename T>
using Gathered = absl::InlinedVector<T, 8>;

class Parser {
 public:
  Parser(SyntaxTree& tree, const LexInput& input, SyntaxErrors& errors)
      : tree_(tree), errors_(errors), lexer_(input, errors), token_(lexer_.Next()) {}

  const Token& token() const { return token_; }
  uint32_t begin() const { return token_.begin; }
  // Where the last token that was taken ends, line ends and indents not counted.
  uint32_t last_end() const { return last_end_; }

  bool At(TokenKind kind) const { return token_.kind == kind; }
  void Advance();
  bool Accept(TokenKind kind) {
    if (!At(kind)) return false;
    Advance();
    return true;
  }
  // Takes such a token, or reports "expected ':' after the condition, got ...", where `after` is
  // "after the condition" and may be empty.
  bool Expect(TokenKind kind, absl::string_view after);
  // Takes a name into `name`, or reports "expected the function's name, got ...".
  bool ExpectName(absl::string_view what, Token& name);

  absl::string_view Text(const Token& token) const {
    return lexer_.input().text.substr(token.begin, token.end - token.begin);
  }
  TextSpan Span(const Token& token) const { return lexer_.input().Span(token.begin, token.end); }
  // From byte `begin` to the end of the last token taken.
  TextSpan SpanFrom(uint32_t begin) const { return lexer_.input().Span(begin, last_end_); }

  // Reports that the token here is not what is wanted: "expected ',' or ')', got 'x'". Where that
  // is because a bracket was never closed, says so instead; says nothing of what the lexer has
  // reported already.
  void Unexpected(absl::string_view wanted, absl::string_view help = "");
  // Reports something else that is wrong.
  DiagnosticBuilder Error(TextSpan span) { return errors_.Error(span, "syntax-error"); }

  // A node that starts at byte `begin` and ends with the last token taken; null when the tree
  // has grown past its limits.
  const ast::Expr* Make(uint32_t begin, const ast::Expr::Node& node);
  const ast::Stmt* MakeStmt(uint32_t begin, const ast::Stmt::Node& node) {
    return tree_.Add(SpanFrom(begin), node);
  }

  SyntaxTree& tree() { return tree_; }
  SyntaxErrors& errors() { return errors_; }
  Lexer& lexer() { return lexer_; }
  const Lexer& lexer() const { return lexer_; }

  // One level of recursion while it lives; not ok, and reported, past the limit.
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

  // Goes into a block, or an elif; false, and reported, past the limit.
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
