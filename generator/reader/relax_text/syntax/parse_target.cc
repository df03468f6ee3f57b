#include "generator/reader/relax_text/syntax/parse_target.h"

#include "generator/reader/relax_text/syntax/parse_expr.h"

namespace lathe::relax_text {
namespace {

ast::ExprRef ParseElement(Parser& p) {
  if (!p.At(TokenKind::kStar)) return ParseArithmetic(p);
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef value = ParseArithmetic(p);
  return value == nullptr ? nullptr : p.Make(begin, ast::Starred{value});
}

}  // namespace

// The recursion is bounded by the depth of the tree.
bool CheckTarget(Parser& p, const ast::Expr& e, absl::string_view verb) {
  const auto check_all = [&](ast::ExprList elements) {
    for (ast::ExprRef element : elements) {
      if (!CheckTarget(p, *element, verb)) return false;
    }
    return true;
  };
  if (e.As<ast::Name>() != nullptr || e.As<ast::Attribute>() != nullptr ||
      e.As<ast::Subscript>() != nullptr) {
    return true;
  }
  if (const auto* tuple = e.As<ast::Tuple>()) return check_all(tuple->elements);
  if (const auto* list = e.As<ast::List>()) return check_all(list->elements);
  const bool deleting = verb == "delete";
  if (const auto* starred = e.As<ast::Starred>(); starred != nullptr && !deleting) {
    return CheckTarget(p, *starred->value, verb);
  }
  p.Error(e.span()) << "cannot " << verb << " " << Describe(e);
  return false;
}

ast::ExprRef ParseLoopTarget(Parser& p) {
  const uint32_t begin = p.begin();
  Gathered<ast::ExprRef> elements;
  bool had_comma = false;
  do {
    if (!elements.empty() && p.At(TokenKind::kIn)) break;
    ast::ExprRef element = ParseElement(p);
    if (element == nullptr || !CheckTarget(p, *element)) return nullptr;
    elements.push_back(element);
    had_comma |= p.At(TokenKind::kComma);
  } while (p.Accept(TokenKind::kComma));
  if (!had_comma) return elements[0];
  return p.Make(begin, ast::Tuple{p.tree().CopyList(elements), false});
}

ast::ExprRef ParseSingleTarget(Parser& p) {
  ast::ExprRef target = ParseElement(p);
  return target != nullptr && CheckTarget(p, *target) ? target : nullptr;
}

}  // namespace lathe::relax_text
