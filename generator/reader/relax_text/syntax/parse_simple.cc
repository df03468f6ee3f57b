#include "generator/reader/relax_text/syntax/parse_simple.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/parse_assign.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_import.h"
#include "generator/reader/relax_text/syntax/parse_target.h"

namespace lathe::relax_text {
namespace {

ast::StmtRef MakeKeywordStmt(Parser& p, const ast::Stmt::Node& node) {
  const uint32_t begin = p.begin();
  p.Advance();
  return p.MakeStmt(begin, node);
}

ast::StmtRef ParseReturn(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef value = nullptr;
  if (StartsExpression(p.token().kind)) {
    value = ParseStarExpressions(p);
    if (value == nullptr) return nullptr;
  }
  return p.MakeStmt(begin, ast::Return{value});
}

ast::StmtRef ParseAssert(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef condition = ParseExpression(p);
  if (condition == nullptr) return nullptr;
  ast::ExprRef message = nullptr;
  if (p.Accept(TokenKind::kComma)) {
    message = ParseExpression(p);
    if (message == nullptr) return nullptr;
  }
  return p.MakeStmt(begin, ast::Assert{condition, message});
}

ast::StmtRef ParseRaise(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  if (StartsExpression(p.token().kind)) {
    if (ParseExpression(p) == nullptr) return nullptr;
    if (p.Accept(TokenKind::kFrom) && ParseExpression(p) == nullptr) return nullptr;
  }
  return p.MakeStmt(begin, ast::UnsupportedStmt{"a raise statement"});
}

ast::StmtRef ParseDelete(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef targets = ParseStarExpressions(p);
  if (targets == nullptr || !CheckTarget(p, *targets, "delete")) return nullptr;
  return p.MakeStmt(begin, ast::UnsupportedStmt{"a del statement"});
}

// Parses global a, b and nonlocal a, b.
ast::StmtRef ParseNames(Parser& p, absl::string_view what) {
  const uint32_t begin = p.begin();
  p.Advance();
  Token name;
  do {
    if (!p.ExpectName("a name", name)) return nullptr;
  } while (p.Accept(TokenKind::kComma));
  return p.MakeStmt(begin, ast::UnsupportedStmt{what});
}

ast::StmtRef ParseSimple(Parser& p) {
  switch (p.token().kind) {
    case TokenKind::kPass:
      return MakeKeywordStmt(p, ast::Pass{});
    case TokenKind::kBreak:
      return MakeKeywordStmt(p, ast::Break{});
    case TokenKind::kContinue:
      return MakeKeywordStmt(p, ast::Continue{});
    case TokenKind::kReturn:
      return ParseReturn(p);
    case TokenKind::kAssert:
      return ParseAssert(p);
    case TokenKind::kImport:
    case TokenKind::kFrom:
      return ParseImport(p);
    case TokenKind::kRaise:
      return ParseRaise(p);
    case TokenKind::kDel:
      return ParseDelete(p);
    case TokenKind::kGlobal:
      return ParseNames(p, "a global statement");
    case TokenKind::kNonlocal:
      return ParseNames(p, "a nonlocal statement");
    default:
      break;
  }
  if (StartsExpression(p.token().kind) || p.At(TokenKind::kYield)) {
    return ParseExprOrAssignment(p);
  }
  p.Unexpected("a statement");
  return nullptr;
}

}  // namespace

bool ParseSimpleLine(Parser& p, Gathered<ast::StmtRef>& statements) {
  do {
    if (!statements.empty() && p.At(TokenKind::kNewline)) break;
    ast::StmtRef statement = ParseSimple(p);
    if (statement == nullptr) return false;
    statements.push_back(statement);
  } while (p.Accept(TokenKind::kSemicolon));
  if (p.Accept(TokenKind::kNewline)) return true;
  p.Unexpected(absl::StrCat("a new line after ", Describe(*statements.back())));
  return false;
}

}  // namespace lathe::relax_text
