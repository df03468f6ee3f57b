#include "generator/reader/relax_text/syntax/parse_with.h"

#include "generator/reader/relax_text/syntax/parse_block.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_target.h"

namespace lathe::relax_text {
namespace {

// Returns true if the current '(' encloses the items rather than a part of the first item: a colon
// follows its ')', and its contents can be items.
bool ItemsAreParenthesised(Parser& p) {
  SyntaxErrors muted(nullptr);
  Lexer ahead = p.lexer().Lookahead(muted);
  TokenKind last = TokenKind::kLeftParen;
  int depth = 1;
  while (depth > 0) {
    const Token token = ahead.Next();
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kUnclosed) return false;
    const bool starts_item = last == TokenKind::kLeftParen || last == TokenKind::kComma;
    if (depth == 1 &&
        (token.kind == TokenKind::kFor || token.kind == TokenKind::kYield ||
         token.kind == TokenKind::kColonEqual || (starts_item && token.kind == TokenKind::kStar))) {
      return false;
    }
    if (depth == 1 && last == TokenKind::kLeftParen && token.kind == TokenKind::kRightParen) {
      return false;
    }
    if (IsOpening(token.kind)) ++depth;
    if (IsClosing(token.kind)) --depth;
    last = depth == 1 ? token.kind : TokenKind::kName;
  }
  return ahead.Next().kind == TokenKind::kColon;
}

bool ParseItem(Parser& p, Gathered<ast::WithItem>& items) {
  ast::WithItem item{ParseExpression(p), nullptr};
  if (item.context == nullptr) return false;
  if (p.Accept(TokenKind::kAs)) {
    item.target = ParseSingleTarget(p);
    if (item.target == nullptr) return false;
  }
  items.push_back(item);
  return true;
}

}  // namespace

ast::StmtRef ParseWith(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  const bool parenthesised = p.At(TokenKind::kLeftParen) && ItemsAreParenthesised(p);
  if (parenthesised) p.Advance();
  Gathered<ast::WithItem> items;
  do {
    if (parenthesised && p.At(TokenKind::kRightParen)) break;
    if (!ParseItem(p, items)) return nullptr;
  } while (p.Accept(TokenKind::kComma));
  if (parenthesised && !p.Expect(TokenKind::kRightParen, "after the items of 'with'")) {
    return nullptr;
  }
  ast::Block body;
  if (!ParseBlock(p, {"the items of 'with'", "'with'", begin}, body)) return nullptr;
  return p.MakeStmt(begin, ast::With{p.tree().CopyList(items), body});
}

}  // namespace lathe::relax_text
