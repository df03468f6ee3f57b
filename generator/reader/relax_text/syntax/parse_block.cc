#include "generator/reader/relax_text/syntax/parse_block.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/parse_compound.h"
#include "generator/reader/relax_text/syntax/parse_simple.h"

namespace lathe::relax_text {
namespace {

bool ContinuesStatement(const Parser& p) {
  return p.At(TokenKind::kElif) || p.At(TokenKind::kElse) || p.At(TokenKind::kExcept) ||
         p.At(TokenKind::kFinally);
}

// Recovers after a statement with a syntax error: skips its line. The block after it is parsed to
// report its errors and then dropped, as are its continuations ('else' after a broken 'if').
void Recover(Parser& p) {
  do {
    SkipLine(p);
    if (!p.Accept(TokenKind::kIndent)) continue;
    Gathered<ast::StmtRef> dropped;
    ParseStatements(p, dropped);
    p.Accept(TokenKind::kDedent);
  } while (ContinuesStatement(p));
}

}  // namespace

void ParseStatements(Parser& p, Gathered<ast::StmtRef>& statements) {
  while (!p.At(TokenKind::kEnd) && !p.At(TokenKind::kDedent)) {
    if (p.At(TokenKind::kIndent)) {
      p.errors().Error(p.Span(p.token()), "syntax-indentation") << "unexpected indent";
      p.Advance();
      ParseStatements(p, statements);
      p.Accept(TokenKind::kDedent);
      continue;
    }
    if (ContinuesStatement(p)) {
      p.Error(p.Span(p.token())) << "'" << p.Text(p.token()) << "' does not continue a statement";
      Recover(p);
      continue;
    }
    const bool good =
        StartsCompound(p) ? ParseCompound(p, statements) : ParseSimpleLine(p, statements);
    if (!good) Recover(p);
  }
}

bool ParseBlock(Parser& p, const BlockOf& of, ast::Block& block) {
  if (!p.Expect(TokenKind::kColon, absl::StrCat("after ", of.header))) return false;
  Gathered<ast::StmtRef> statements;
  if (!p.Accept(TokenKind::kNewline)) {
    if (!ParseSimpleLine(p, statements)) return false;
  } else if (p.Accept(TokenKind::kIndent)) {
    if (!p.EnterBlock()) return false;
    ParseStatements(p, statements);
    p.LeaveBlocks(1);
    p.Accept(TokenKind::kDedent);
  } else {
    const TextSpan owner = p.lexer().input().Span(of.begin, of.begin + 1);
    p.errors()
            .Error(p.Span(p.token()), "syntax-indentation")
            .Note(owner, absl::StrCat(of.name, " starts here"))
        << "expected an indented block after " << of.name;
  }
  block = p.tree().CopyList(statements);
  return true;
}

void SkipLine(Parser& p) {
  while (!p.At(TokenKind::kNewline) && !p.At(TokenKind::kEnd) && !p.At(TokenKind::kIndent) &&
         !p.At(TokenKind::kDedent)) {
    if (p.lexer().LooksLikeNewStatement(p.token())) p.lexer().RestartAt(p.token());
    p.Advance();
  }
  p.Accept(TokenKind::kNewline);
}

}  // namespace lathe::relax_text
