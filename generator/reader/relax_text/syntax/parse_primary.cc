#include "generator/reader/relax_text/syntax/parse_primary.h"

#include "generator/reader/relax_text/syntax/lex_number.h"
#include "generator/reader/relax_text/syntax/parse_call.h"
#include "generator/reader/relax_text/syntax/parse_display.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_string.h"

namespace lathe::relax_text {
namespace {

// A node for the one token here.
ast::ExprRef MakeLeaf(Parser& p, const ast::Expr::Node& node) {
  const uint32_t begin = p.begin();
  p.Advance();
  return p.Make(begin, node);
}

ast::ExprRef ParseInt(Parser& p) {
  const ast::Int value = IntValue(p.Text(p.token()));
  if (!value.fits) {
    p.errors().Unsupported(p.Span(p.token()), "syntax-number")
        << "the integer does not fit in 64 bits";
  }
  return MakeLeaf(p, value);
}

ast::ExprRef ParseAtom(Parser& p) {
  using Kind = ast::Constant::Kind;
  switch (p.token().kind) {
    case TokenKind::kName:
      return MakeLeaf(p, ast::Name{p.Text(p.token())});
    case TokenKind::kInt:
      return ParseInt(p);
    case TokenKind::kFloat:
      return MakeLeaf(p, FloatValue(p.Text(p.token())));
    case TokenKind::kImaginary:
      return MakeLeaf(p, ast::UnsupportedExpr{"a complex number"});
    case TokenKind::kString:
    case TokenKind::kFString:
    case TokenKind::kBytes:
      return ParseString(p);
    case TokenKind::kTrue:
      return MakeLeaf(p, ast::Constant{Kind::kTrue});
    case TokenKind::kFalse:
      return MakeLeaf(p, ast::Constant{Kind::kFalse});
    case TokenKind::kNone:
      return MakeLeaf(p, ast::Constant{Kind::kNone});
    case TokenKind::kEllipsis:
      return MakeLeaf(p, ast::Ellipsis{});
    case TokenKind::kLeftParen:
      return ParseParenthesised(p);
    case TokenKind::kLeftSquare:
      return ParseList(p);
    case TokenKind::kLeftBrace:
      return ParseDictOrSet(p);
    default:
      p.Unexpected("an expression");
      return nullptr;
  }
}

ast::ExprRef ParseAttribute(Parser& p, uint32_t begin, ast::ExprRef object) {
  p.Advance();
  Token name;
  if (!p.ExpectName("an attribute's name after '.'", name)) return nullptr;
  return p.Make(begin, ast::Attribute{object, p.Text(name), p.Span(name)});
}

// lower:upper:step, each of which may be missing, or a plain index.
ast::ExprRef ParseIndex(Parser& p) {
  const uint32_t begin = p.begin();
  const auto parse_part = [&p](ast::ExprRef& part) {
    const bool missing =
        p.At(TokenKind::kColon) || p.At(TokenKind::kComma) || p.At(TokenKind::kRightSquare);
    if (missing) return true;
    part = ParseExpression(p);
    return part != nullptr;
  };
  ast::Slice slice{nullptr, nullptr, nullptr};
  if (!p.At(TokenKind::kColon)) {
    slice.lower = ParseStarNamedExpression(p);
    const bool is_slice = p.At(TokenKind::kColon) && slice.lower != nullptr &&
                          slice.lower->As<ast::Starred>() == nullptr;
    if (!is_slice) return slice.lower;
  }
  p.Advance();
  if (!parse_part(slice.upper)) return nullptr;
  if (p.Accept(TokenKind::kColon) && !parse_part(slice.step)) return nullptr;
  return p.Make(begin, slice);
}

ast::ExprRef ParseSubscript(Parser& p, uint32_t begin, ast::ExprRef object) {
  p.Advance();
  Gathered<ast::ExprRef> indices;
  bool trailing_comma = false;
  do {
    trailing_comma = !indices.empty() && p.At(TokenKind::kRightSquare);
    if (trailing_comma) break;
    ast::ExprRef index = ParseIndex(p);
    if (index == nullptr) return nullptr;
    indices.push_back(index);
  } while (p.Accept(TokenKind::kComma));
  if (!p.Accept(TokenKind::kRightSquare)) {
    p.Unexpected("',' or ']' after an index");
    return nullptr;
  }
  return p.Make(begin, ast::Subscript{object, p.tree().CopyList(indices), trailing_comma});
}

ast::ExprRef ParseCall(Parser& p, uint32_t begin, ast::ExprRef callee) {
  Arguments arguments;
  if (!ParseArguments(p, arguments)) return nullptr;
  return p.Make(begin, ast::Call{callee, p.tree().CopyList(arguments.positional),
                                 p.tree().CopyList(arguments.keywords)});
}

}  // namespace

ast::ExprRef ParsePrimary(Parser& p) {
  const uint32_t begin = p.begin();
  const bool awaited = p.Accept(TokenKind::kAwait);
  ast::ExprRef e = ParseAtom(p);
  while (e != nullptr) {
    if (p.At(TokenKind::kDot)) {
      e = ParseAttribute(p, begin, e);
    } else if (p.At(TokenKind::kLeftParen)) {
      e = ParseCall(p, begin, e);
    } else if (p.At(TokenKind::kLeftSquare)) {
      e = ParseSubscript(p, begin, e);
    } else {
      break;
    }
  }
  if (e == nullptr || !awaited) return e;
  return p.Make(begin, ast::UnsupportedExpr{"an await expression"});
}

}  // namespace lathe::relax_text
