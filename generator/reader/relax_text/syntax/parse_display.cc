#include "generator/reader/relax_text/syntax/parse_display.h"

#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_target.h"

namespace lathe::relax_text {
namespace {

bool AtComprehension(const Parser& p) { return p.At(TokenKind::kFor) || p.At(TokenKind::kAsync); }

bool ParseClauses(Parser& p, Gathered<ast::ComprehensionClause>& clauses) {
  while (AtComprehension(p)) {
    p.Accept(TokenKind::kAsync);
    if (!p.Expect(TokenKind::kFor, "after 'async'")) return false;
    ast::ExprRef target = ParseLoopTarget(p);
    if (target == nullptr) return false;
    if (!p.Expect(TokenKind::kIn, "after the target of 'for'")) return false;
    ast::ExprRef iter = ParseDisjunction(p);
    if (iter == nullptr) return false;
    Gathered<ast::ExprRef> conditions;
    while (p.Accept(TokenKind::kIf)) {
      ast::ExprRef condition = ParseDisjunction(p);
      if (condition == nullptr) return false;
      conditions.push_back(condition);
    }
    clauses.push_back({target, iter, p.tree().CopyList(conditions)});
  }
  return true;
}

// Parses the elements after the first one, up to the closing bracket, which is not consumed. Sets
// `had_comma` if there was a comma.
bool ParseElements(Parser& p, TokenKind closing, Gathered<ast::ExprRef>& elements,
                   bool& had_comma) {
  had_comma = false;
  while (p.Accept(TokenKind::kComma)) {
    had_comma = true;
    if (p.At(closing)) break;
    ast::ExprRef element = ParseStarNamedExpression(p);
    if (element == nullptr) return false;
    elements.push_back(element);
  }
  return true;
}

// Consumes the closing bracket of a display. Returns false, after a diagnostic, if it is missing.
bool Close(Parser& p, TokenKind closing) {
  if (p.Accept(closing)) return true;
  p.Unexpected(closing == TokenKind::kRightParen    ? "',' or ')'"
               : closing == TokenKind::kRightSquare ? "',' or ']'"
                                                    : "',' or '}'");
  return false;
}

// Parses the rest of a comprehension whose bracket opened at `begin`, including the closing
// bracket.
ast::ExprRef ParseBracketed(Parser& p, uint32_t begin, ast::ComprehensionKind kind,
                            TokenKind closing, ast::ExprRef element, ast::ExprRef value = nullptr) {
  if (element->As<ast::Starred>() != nullptr) {
    p.Error(element->span()) << "a starred expression cannot be the element of a comprehension";
    return nullptr;
  }
  Gathered<ast::ComprehensionClause> clauses;
  if (!ParseClauses(p, clauses) || !Close(p, closing)) return nullptr;
  return p.Make(begin, ast::Comprehension{kind, element, value, p.tree().CopyList(clauses)});
}

class DictParser {
 public:
  DictParser(Parser& p, uint32_t begin) : p_(p), begin_(begin) {}

  // Parses all items. The key of the first one, if it has a key, has been consumed.
  ast::ExprRef Parse(ast::ExprRef first_key) {
    ast::ExprRef key = first_key;
    while (true) {
      const bool good = key == nullptr ? ParseUnpacked() : ParseItem(key);
      if (!good) return nullptr;
      if (AtComprehension(p_) && items_.size() == 1) return ParseDictComprehension();
      if (!p_.Accept(TokenKind::kComma) || p_.At(TokenKind::kRightBrace)) break;
      key = nullptr;
      if (p_.At(TokenKind::kDoubleStar)) continue;
      key = ParseExpression(p_);
      if (key == nullptr) return nullptr;
    }
    if (!Close(p_, TokenKind::kRightBrace)) return nullptr;
    return p_.Make(begin_, ast::Dict{p_.tree().CopyList(items_)});
  }

 private:
  bool ParseUnpacked() {
    p_.Advance();
    ast::ExprRef value = ParseArithmetic(p_);
    if (value == nullptr) return false;
    items_.push_back({nullptr, value});
    return true;
  }

  bool ParseItem(ast::ExprRef key) {
    if (!p_.Expect(TokenKind::kColon, "after the key of a dict")) return false;
    ast::ExprRef value = ParseExpression(p_);
    if (value == nullptr) return false;
    items_.push_back({key, value});
    return true;
  }

  ast::ExprRef ParseDictComprehension() {
    const ast::DictItem item = items_[0];
    if (item.key == nullptr) {
      p_.Error(item.value->span()) << "'**' cannot be the element of a comprehension";
      return nullptr;
    }
    return ParseBracketed(p_, begin_, ast::ComprehensionKind::kDict, TokenKind::kRightBrace,
                          item.key, item.value);
  }

  Parser& p_;
  const uint32_t begin_;
  Gathered<ast::DictItem> items_;
};

}  // namespace

ast::ExprRef ParseComprehension(Parser& p, uint32_t begin, ast::ComprehensionKind kind,
                                ast::ExprRef element, ast::ExprRef value) {
  Gathered<ast::ComprehensionClause> clauses;
  if (!ParseClauses(p, clauses)) return nullptr;
  return p.Make(begin, ast::Comprehension{kind, element, value, p.tree().CopyList(clauses)});
}

ast::ExprRef ParseParenthesised(Parser& p) {
  constexpr TokenKind kClosing = TokenKind::kRightParen;
  const uint32_t begin = p.begin();
  p.Advance();
  if (p.Accept(kClosing)) return p.Make(begin, ast::Tuple{{}, true});
  if (p.At(TokenKind::kYield)) {
    ast::ExprRef yield = ParseYield(p);
    return yield != nullptr && Close(p, kClosing) ? yield : nullptr;
  }
  ast::ExprRef first = ParseStarNamedExpression(p);
  if (first == nullptr) return nullptr;
  if (AtComprehension(p)) {
    return ParseBracketed(p, begin, ast::ComprehensionKind::kGenerator, kClosing, first);
  }
  Gathered<ast::ExprRef> elements = {first};
  bool had_comma;
  if (!ParseElements(p, kClosing, elements, had_comma) || !Close(p, kClosing)) return nullptr;
  if (had_comma) return p.Make(begin, ast::Tuple{p.tree().CopyList(elements), true});
  if (first->As<ast::Starred>() != nullptr) {
    p.Error(first->span()) << "a starred expression in parentheses needs a ','";
    return nullptr;
  }
  return first;
}

ast::ExprRef ParseList(Parser& p) {
  constexpr TokenKind kClosing = TokenKind::kRightSquare;
  const uint32_t begin = p.begin();
  p.Advance();
  if (p.Accept(kClosing)) return p.Make(begin, ast::List{});
  ast::ExprRef first = ParseStarNamedExpression(p);
  if (first == nullptr) return nullptr;
  if (AtComprehension(p)) {
    return ParseBracketed(p, begin, ast::ComprehensionKind::kList, kClosing, first);
  }
  Gathered<ast::ExprRef> elements = {first};
  bool had_comma;
  if (!ParseElements(p, kClosing, elements, had_comma) || !Close(p, kClosing)) return nullptr;
  return p.Make(begin, ast::List{p.tree().CopyList(elements)});
}

ast::ExprRef ParseDictOrSet(Parser& p) {
  constexpr TokenKind kClosing = TokenKind::kRightBrace;
  const uint32_t begin = p.begin();
  p.Advance();
  if (p.Accept(kClosing)) return p.Make(begin, ast::Dict{});
  if (p.At(TokenKind::kDoubleStar)) return DictParser(p, begin).Parse(nullptr);
  ast::ExprRef first = ParseStarNamedExpression(p);
  if (first == nullptr) return nullptr;
  const bool may_be_key = first->As<ast::Starred>() == nullptr;
  if (p.At(TokenKind::kColon) && may_be_key) return DictParser(p, begin).Parse(first);
  if (AtComprehension(p)) {
    return ParseBracketed(p, begin, ast::ComprehensionKind::kSet, kClosing, first);
  }
  Gathered<ast::ExprRef> elements = {first};
  bool had_comma;
  if (!ParseElements(p, kClosing, elements, had_comma) || !Close(p, kClosing)) return nullptr;
  return p.Make(begin, ast::Set{p.tree().CopyList(elements)});
}

}  // namespace lathe::relax_text
