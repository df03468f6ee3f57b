#include "generator/reader/relax_text/syntax/parse_import.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace lathe::relax_text {
namespace {

// a.b.c, appended to `out` without the spaces that Python allows in it.
bool AppendDottedName(Parser& p, std::string& out) {
  Token name;
  if (!p.ExpectName("a module's name", name)) return false;
  absl::StrAppend(&out, p.Text(name));
  while (p.Accept(TokenKind::kDot)) {
    if (!p.ExpectName("a module's name after '.'", name)) return false;
    absl::StrAppend(&out, ".", p.Text(name));
  }
  return true;
}

bool ParseAlias(Parser& p, ast::ImportedName& imported, uint32_t begin) {
  if (p.Accept(TokenKind::kAs)) {
    Token alias;
    if (!p.ExpectName("a name after 'as'", alias)) return false;
    imported.alias = p.Text(alias);
  }
  imported.span = p.SpanFrom(begin);
  return true;
}

ast::StmtRef ParsePlainImport(Parser& p, uint32_t begin) {
  Gathered<ast::ImportedName> names;
  do {
    const uint32_t name_begin = p.begin();
    std::string name;
    if (!AppendDottedName(p, name)) return nullptr;
    ast::ImportedName imported{p.tree().CopyText(name), "", {}};
    if (!ParseAlias(p, imported, name_begin)) return nullptr;
    names.push_back(imported);
  } while (p.Accept(TokenKind::kComma));
  return p.MakeStmt(begin, ast::Import{false, "", p.tree().CopyList(names)});
}

// The names after `import`: *, a as b, or a list in parentheses, which may end with a comma.
bool ParseImportedNames(Parser& p, Gathered<ast::ImportedName>& names) {
  if (p.At(TokenKind::kStar)) {
    names.push_back({"*", "", p.Span(p.token())});
    p.Advance();
    return true;
  }
  const bool bracketed = p.Accept(TokenKind::kLeftParen);
  do {
    if (bracketed && !names.empty() && p.At(TokenKind::kRightParen)) break;
    const uint32_t begin = p.begin();
    Token name;
    if (!p.ExpectName("a name to import", name)) return false;
    ast::ImportedName imported{p.Text(name), "", {}};
    if (!ParseAlias(p, imported, begin)) return false;
    names.push_back(imported);
  } while (p.Accept(TokenKind::kComma));
  if (!bracketed || p.Accept(TokenKind::kRightParen)) return true;
  p.Unexpected("',' or ')' after a name to import");
  return false;
}

ast::StmtRef ParseFromImport(Parser& p, uint32_t begin) {
  std::string module;
  while (p.At(TokenKind::kDot) || p.At(TokenKind::kEllipsis)) {
    absl::StrAppend(&module, p.Text(p.token()));
    p.Advance();
  }
  const bool only_dots = !module.empty() && p.At(TokenKind::kImport);
  if (!only_dots && !AppendDottedName(p, module)) return nullptr;
  if (!p.Expect(TokenKind::kImport, "after the module's name")) return nullptr;
  Gathered<ast::ImportedName> names;
  if (!ParseImportedNames(p, names)) return nullptr;
  return p.MakeStmt(begin, ast::Import{true, p.tree().CopyText(module), p.tree().CopyList(names)});
}

}  // namespace

ast::StmtRef ParseImport(Parser& p) {
  const uint32_t begin = p.begin();
  const bool is_from = p.At(TokenKind::kFrom);
  p.Advance();
  return is_from ? ParseFromImport(p, begin) : ParsePlainImport(p, begin);
}

}  // namespace lathe::relax_text
