#include "generator/reader/relax_text/syntax/parse_compound.h"

#include "generator/reader/relax_text/syntax/parse_block.h"
#include "generator/reader/relax_text/syntax/parse_definition.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_host.h"
#include "generator/reader/relax_text/syntax/parse_target.h"
#include "generator/reader/relax_text/syntax/parse_with.h"

namespace lathe::relax_text {
namespace {

// else: ... of a loop or an if, where there is one.
bool ParseElse(Parser& p, ast::Block& block) {
  const uint32_t begin = p.begin();
  if (!p.Accept(TokenKind::kElse)) return true;
  return ParseBlock(p, {"'else'", "'else'", begin}, block);
}

struct Branch {
  uint32_t begin;
  ast::ExprRef condition;
  ast::Block body;
};

// if and its elifs. Read in a row and nested at the end, innermost first.
ast::StmtRef ParseIf(Parser& p) {
  Gathered<Branch> branches;
  ast::Block else_body;
  bool good = true;
  do {
    if (!branches.empty() && !p.EnterBlock()) return nullptr;
    const bool first = branches.empty();
    Branch branch{p.begin(), nullptr, {}};
    p.Advance();
    branch.condition = ParseNamedExpression(p);
    good = branch.condition != nullptr &&
           ParseBlock(p,
                      {first ? "the condition of 'if'" : "the condition of 'elif'",
                       first ? "'if'" : "'elif'", branch.begin},
                      branch.body);
    branches.push_back(branch);
  } while (good && p.At(TokenKind::kElif));
  good = good && ParseElse(p, else_body);
  p.LeaveBlocks(static_cast<int>(branches.size()) - 1);
  if (!good) return nullptr;

  bool else_is_elif = false;
  while (true) {
    const Branch& b = branches.back();
    ast::StmtRef made = p.MakeStmt(b.begin, ast::If{b.condition, b.body, else_body, else_is_elif});
    if (branches.size() == 1) return made;
    else_body = p.tree().CopyList(Gathered<ast::StmtRef>{made});
    else_is_elif = true;
    branches.pop_back();
  }
}

ast::StmtRef ParseFor(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::For loop{};
  loop.target = ParseLoopTarget(p);
  if (loop.target == nullptr) return nullptr;
  if (!p.Expect(TokenKind::kIn, "after the target of 'for'")) return nullptr;
  loop.iter = ParseStarExpressions(p);
  if (loop.iter == nullptr) return nullptr;
  if (!ParseBlock(p, {"what 'for' goes over", "'for'", begin}, loop.body)) return nullptr;
  if (!ParseElse(p, loop.else_body)) return nullptr;
  return p.MakeStmt(begin, loop);
}

ast::StmtRef ParseWhile(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::While loop{};
  loop.condition = ParseNamedExpression(p);
  if (loop.condition == nullptr) return nullptr;
  if (!ParseBlock(p, {"the condition of 'while'", "'while'", begin}, loop.body)) return nullptr;
  if (!ParseElse(p, loop.else_body)) return nullptr;
  return p.MakeStmt(begin, loop);
}

// async def, async for, async with: read as the plain ones, kept as unsupported.
ast::StmtRef ParseAsync(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  switch (p.token().kind) {
    case TokenKind::kDef:
      if (ParseDefinition(p) == nullptr) return nullptr;
      return p.MakeStmt(begin, ast::UnsupportedStmt{"an async function"});
    case TokenKind::kFor:
      if (ParseFor(p) == nullptr) return nullptr;
      return p.MakeStmt(begin, ast::UnsupportedStmt{"an async for loop"});
    case TokenKind::kWith:
      if (ParseWith(p) == nullptr) return nullptr;
      return p.MakeStmt(begin, ast::UnsupportedStmt{"an async with statement"});
    default:
      p.Unexpected("'def', 'for' or 'with' after 'async'");
      return nullptr;
  }
}

}  // namespace

bool StartsCompound(const Parser& p) {
  switch (p.token().kind) {
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhile:
    case TokenKind::kWith:
    case TokenKind::kDef:
    case TokenKind::kClass:
    case TokenKind::kAt:
    case TokenKind::kTry:
    case TokenKind::kAsync:
      return true;
    case TokenKind::kName:
      return StartsMatch(p) || StartsTypeAlias(p);
    default:
      return false;
  }
}

bool ParseCompound(Parser& p, Gathered<ast::StmtRef>& statements) {
  ast::StmtRef statement = nullptr;
  switch (p.token().kind) {
    case TokenKind::kIf:
      statement = ParseIf(p);
      break;
    case TokenKind::kFor:
      statement = ParseFor(p);
      break;
    case TokenKind::kWhile:
      statement = ParseWhile(p);
      break;
    case TokenKind::kWith:
      statement = ParseWith(p);
      break;
    case TokenKind::kTry:
      statement = ParseTry(p);
      break;
    case TokenKind::kAsync:
      statement = ParseAsync(p);
      break;
    case TokenKind::kName:
      statement = StartsMatch(p) ? ParseMatch(p) : ParseTypeAlias(p);
      break;
    default:
      statement = ParseDefinition(p);
      break;
  }
  if (statement == nullptr) return false;
  statements.push_back(statement);
  return true;
}

}  // namespace lathe::relax_text
