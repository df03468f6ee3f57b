#include "generator/reader/relax_text/syntax/parse_host.h"

#include "generator/reader/relax_text/syntax/parse_block.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_params.h"

namespace lathe::relax_text {
namespace {

// except: ..., except A as b: ..., except* A: ...
bool ParseExcept(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  p.Accept(TokenKind::kStar);
  if (!p.At(TokenKind::kColon)) {
    if (ParseExpression(p) == nullptr) return false;
    Token name;
    if (p.Accept(TokenKind::kAs) && !p.ExpectName("a name after 'as'", name)) return false;
  }
  ast::Block body;
  return ParseBlock(p, {"'except'", "'except'", begin}, body);
}

bool ParsePlainBlock(Parser& p, absl::string_view keyword) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::Block body;
  return ParseBlock(p, {keyword, keyword, begin}, body);
}

// Skips tokens up to the next one of `kind` outside of brackets, which is not consumed.
bool SkipTo(Parser& p, TokenKind kind, absl::string_view wanted) {
  while (!p.At(TokenKind::kNewline) && !p.At(TokenKind::kEnd) && !p.At(TokenKind::kError) &&
         !p.At(TokenKind::kUnclosed)) {
    if (p.At(kind) && p.lexer().open_bracket() == nullptr) return true;
    p.Advance();
  }
  p.Unexpected(wanted);
  return false;
}

}  // namespace

ast::StmtRef ParseTry(Parser& p) {
  const uint32_t begin = p.begin();
  if (!ParsePlainBlock(p, "'try'")) return nullptr;
  bool had_except = false;
  while (p.At(TokenKind::kExcept)) {
    had_except = true;
    if (!ParseExcept(p)) return nullptr;
  }
  if (had_except && p.At(TokenKind::kElse) && !ParsePlainBlock(p, "'else'")) return nullptr;
  if (p.At(TokenKind::kFinally)) {
    if (!ParsePlainBlock(p, "'finally'")) return nullptr;
  } else if (!had_except) {
    // The block has been parsed completely, so no recovery is needed.
    p.Error(p.Span(p.token())) << "expected 'except' or 'finally' after the block of 'try'";
  }
  return p.MakeStmt(begin, ast::UnsupportedStmt{"a try statement"});
}

bool StartsMatch(const Parser& p) {
  if (!p.At(TokenKind::kName) || p.Text(p.token()) != "match") return false;
  SyntaxErrors muted(nullptr);
  Lexer ahead = p.lexer().Lookahead(muted);
  Token last;
  int tokens = 0;
  Token token = ahead.Next();
  for (; token.kind != TokenKind::kNewline; token = ahead.Next(), ++tokens) {
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kUnclosed) return false;
    last = token;
  }
  return tokens > 1 && last.kind == TokenKind::kColon && ahead.Next().kind == TokenKind::kIndent;
}

ast::StmtRef ParseMatch(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  if (ParseStarExpressions(p) == nullptr) return nullptr;
  if (!p.Expect(TokenKind::kColon, "after the subject of 'match'")) return nullptr;
  if (!p.Expect(TokenKind::kNewline, "") || !p.Expect(TokenKind::kIndent, "")) return nullptr;
  while (!p.At(TokenKind::kDedent) && !p.At(TokenKind::kEnd)) {
    if (!p.At(TokenKind::kName) || p.Text(p.token()) != "case") {
      p.Unexpected("'case' in the block of 'match'");
      SkipLine(p);
      Gathered<ast::StmtRef> dropped;
      if (p.Accept(TokenKind::kIndent)) {
        ParseStatements(p, dropped);
        p.Accept(TokenKind::kDedent);
      }
      continue;
    }
    const uint32_t case_begin = p.begin();
    p.Advance();
    ast::Block body;
    if (!SkipTo(p, TokenKind::kColon, "':' after the pattern of 'case'") ||
        !ParseBlock(p, {"the pattern of 'case'", "'case'", case_begin}, body)) {
      SkipLine(p);
    }
  }
  p.Accept(TokenKind::kDedent);
  return p.MakeStmt(begin, ast::UnsupportedStmt{"a match statement"});
}

bool StartsTypeAlias(const Parser& p) {
  if (!p.At(TokenKind::kName) || p.Text(p.token()) != "type") return false;
  SyntaxErrors muted(nullptr);
  return p.lexer().Lookahead(muted).Next().kind == TokenKind::kName;
}

ast::StmtRef ParseTypeAlias(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  Token name;
  Gathered<ast::TypeParam> params;
  if (!p.ExpectName("the alias's name", name) || !ParseTypeParams(p, params) ||
      !p.Expect(TokenKind::kEqual, "after the alias's name") || ParseExpression(p) == nullptr ||
      !p.Expect(TokenKind::kNewline, "after a type alias")) {
    return nullptr;
  }
  return p.MakeStmt(begin, ast::UnsupportedStmt{"a type alias"});
}

}  // namespace lathe::relax_text
