#include "generator/reader/relax_text/syntax/parse_expr.h"

#include <optional>

#include "generator/reader/relax_text/syntax/parse_params.h"
#include "generator/reader/relax_text/syntax/parse_primary.h"

namespace lathe::relax_text {
namespace {

struct BinaryOperator {
  ast::BinaryOp op;
  int precedence;  // higher binds tighter
};
constexpr int kLoosest = 1;

std::optional<BinaryOperator> BinaryOperatorOf(TokenKind kind) {
  using ast::BinaryOp;
  switch (kind) {
    case TokenKind::kBar:
      return BinaryOperator{BinaryOp::kBitOr, kLoosest};
    case TokenKind::kCaret:
      return BinaryOperator{BinaryOp::kBitXor, 2};
    case TokenKind::kAmpersand:
      return BinaryOperator{BinaryOp::kBitAnd, 3};
    case TokenKind::kShiftLeft:
      return BinaryOperator{BinaryOp::kShiftLeft, 4};
    case TokenKind::kShiftRight:
      return BinaryOperator{BinaryOp::kShiftRight, 4};
    case TokenKind::kPlus:
      return BinaryOperator{BinaryOp::kAdd, 5};
    case TokenKind::kMinus:
      return BinaryOperator{BinaryOp::kSub, 5};
    case TokenKind::kStar:
      return BinaryOperator{BinaryOp::kMul, 6};
    case TokenKind::kSlash:
      return BinaryOperator{BinaryOp::kDiv, 6};
    case TokenKind::kDoubleSlash:
      return BinaryOperator{BinaryOp::kFloorDiv, 6};
    case TokenKind::kPercent:
      return BinaryOperator{BinaryOp::kMod, 6};
    case TokenKind::kAt:
      return BinaryOperator{BinaryOp::kMatMul, 6};
    default:
      return std::nullopt;
  }
}

std::optional<ast::UnaryOp> SignOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlus:
      return ast::UnaryOp::kPlus;
    case TokenKind::kMinus:
      return ast::UnaryOp::kMinus;
    case TokenKind::kTilde:
      return ast::UnaryOp::kInvert;
    default:
      return std::nullopt;
  }
}

ast::ExprRef ParseUnary(Parser& p);

// Parses a ** b. It binds tighter than a sign on its left, and its exponent may have a sign: -a **
// -b is -(a ** (-b)).
ast::ExprRef ParsePower(Parser& p) {
  const uint32_t begin = p.begin();
  ast::ExprRef base = ParsePrimary(p);
  if (base == nullptr || !p.At(TokenKind::kDoubleStar)) return base;
  Parser::Nesting nesting(p);
  if (!nesting.ok()) return nullptr;
  const TextSpan op_span = p.Span(p.token());
  p.Advance();
  ast::ExprRef exponent = ParseUnary(p);
  if (exponent == nullptr) return nullptr;
  return p.Make(begin, ast::Binary{ast::BinaryOp::kPow, op_span, base, exponent});
}

ast::ExprRef ParseUnary(Parser& p) {
  const std::optional<ast::UnaryOp> sign = SignOf(p.token().kind);
  if (!sign.has_value()) return ParsePower(p);
  Parser::Nesting nesting(p);
  if (!nesting.ok()) return nullptr;
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef operand = ParseUnary(p);
  return operand == nullptr ? nullptr : p.Make(begin, ast::Unary{*sign, operand});
}

// Parses binary operators whose precedence is at least `loosest`.
ast::ExprRef ParseBinary(Parser& p, int loosest) {
  const uint32_t begin = p.begin();
  ast::ExprRef lhs = ParseUnary(p);
  while (lhs != nullptr) {
    const std::optional<BinaryOperator> op = BinaryOperatorOf(p.token().kind);
    if (!op.has_value() || op->precedence < loosest) break;
    const TextSpan op_span = p.Span(p.token());
    p.Advance();
    ast::ExprRef rhs = ParseBinary(p, op->precedence + 1);
    if (rhs == nullptr) return nullptr;
    lhs = p.Make(begin, ast::Binary{op->op, op_span, lhs, rhs});
  }
  return lhs;
}

// Consumes a comparison operator, if there is one, into `op`. Returns false, after a diagnostic,
// for `not` without `in`.
bool AcceptCompareOp(Parser& p, std::optional<ast::CompareOp>& op) {
  using ast::CompareOp;
  switch (p.token().kind) {
    case TokenKind::kEqualEqual:
      op = CompareOp::kEq;
      break;
    case TokenKind::kNotEqual:
      op = CompareOp::kNe;
      break;
    case TokenKind::kLess:
      op = CompareOp::kLt;
      break;
    case TokenKind::kLessEqual:
      op = CompareOp::kLe;
      break;
    case TokenKind::kGreater:
      op = CompareOp::kGt;
      break;
    case TokenKind::kGreaterEqual:
      op = CompareOp::kGe;
      break;
    case TokenKind::kIn:
      op = CompareOp::kIn;
      break;
    case TokenKind::kIs:
      p.Advance();
      op = p.Accept(TokenKind::kNot) ? CompareOp::kIsNot : CompareOp::kIs;
      return true;
    case TokenKind::kNot:
      p.Advance();
      op = CompareOp::kNotIn;
      return p.Expect(TokenKind::kIn, "after 'not'");
    default:
      op = std::nullopt;
      return true;
  }
  p.Advance();
  return true;
}

ast::ExprRef ParseComparison(Parser& p) {
  const uint32_t begin = p.begin();
  ast::ExprRef first = ParseBinary(p, kLoosest);
  if (first == nullptr) return nullptr;
  Gathered<ast::Comparison> rest;
  while (true) {
    const uint32_t op_begin = p.begin();
    std::optional<ast::CompareOp> op;
    if (!AcceptCompareOp(p, op)) return nullptr;
    if (!op.has_value()) break;
    const TextSpan op_span = p.SpanFrom(op_begin);
    ast::ExprRef operand = ParseBinary(p, kLoosest);
    if (operand == nullptr) return nullptr;
    rest.push_back({*op, op_span, operand});
  }
  if (rest.empty()) return first;
  return p.Make(begin, ast::Compare{first, p.tree().CopyList(rest)});
}

ast::ExprRef ParseInversion(Parser& p) {
  if (!p.At(TokenKind::kNot)) return ParseComparison(p);
  Parser::Nesting nesting(p);
  if (!nesting.ok()) return nullptr;
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef operand = ParseInversion(p);
  return operand == nullptr ? nullptr : p.Make(begin, ast::Unary{ast::UnaryOp::kNot, operand});
}

// value (op value)*, as one node.
ast::ExprRef ParseBoolOp(Parser& p, ast::BoolOpKind kind, TokenKind op,
                         ast::ExprRef (*parse_value)(Parser&)) {
  const uint32_t begin = p.begin();
  ast::ExprRef first = parse_value(p);
  if (first == nullptr || !p.At(op)) return first;
  Gathered<ast::ExprRef> values = {first};
  while (p.Accept(op)) {
    ast::ExprRef value = parse_value(p);
    if (value == nullptr) return nullptr;
    values.push_back(value);
  }
  return p.Make(begin, ast::BoolOp{kind, p.tree().CopyList(values)});
}

ast::ExprRef ParseConjunction(Parser& p) {
  return ParseBoolOp(p, ast::BoolOpKind::kAnd, TokenKind::kAnd, ParseInversion);
}

ast::ExprRef ParseLambda(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  Gathered<ast::Param> params;
  if (!ParseParams(p, ParamsOf::kLambda, params)) return nullptr;
  if (!p.Expect(TokenKind::kColon, "after the parameters of 'lambda'")) return nullptr;
  ast::ExprRef body = ParseExpression(p);
  if (body == nullptr) return nullptr;
  return p.Make(begin, ast::Lambda{p.tree().CopyList(params), body});
}

ast::ExprRef ParseStarred(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  ast::ExprRef value = ParseArithmetic(p);
  return value == nullptr ? nullptr : p.Make(begin, ast::Starred{value});
}

}  // namespace

ast::ExprRef ParseArithmetic(Parser& p) { return ParseBinary(p, kLoosest); }

ast::ExprRef ParseDisjunction(Parser& p) {
  return ParseBoolOp(p, ast::BoolOpKind::kOr, TokenKind::kOr, ParseConjunction);
}

ast::ExprRef ParseExpression(Parser& p) {
  Parser::Nesting nesting(p);
  if (!nesting.ok()) return nullptr;
  if (p.At(TokenKind::kLambda)) return ParseLambda(p);
  const uint32_t begin = p.begin();
  ast::ExprRef then_value = ParseDisjunction(p);
  if (then_value == nullptr || !p.Accept(TokenKind::kIf)) return then_value;
  ast::ExprRef condition = ParseDisjunction(p);
  if (condition == nullptr) return nullptr;
  if (!p.Expect(TokenKind::kElse, "after the condition of a conditional expression")) {
    return nullptr;
  }
  ast::ExprRef else_value = ParseExpression(p);
  if (else_value == nullptr) return nullptr;
  return p.Make(begin, ast::IfExp{condition, then_value, else_value});
}

ast::ExprRef ParseNamedExpression(Parser& p) {
  const uint32_t begin = p.begin();
  ast::ExprRef target = ParseExpression(p);
  if (target == nullptr || !p.At(TokenKind::kColonEqual)) return target;
  if (target->As<ast::Name>() == nullptr) {
    p.Error(target->span()) << "':=' assigns to a name, not to " << Describe(*target);
    return nullptr;
  }
  p.Advance();
  if (ParseExpression(p) == nullptr) return nullptr;
  return p.Make(begin, ast::UnsupportedExpr{"an assignment expression (':=')"});
}

ast::ExprRef ParseStarNamedExpression(Parser& p) {
  return p.At(TokenKind::kStar) ? ParseStarred(p) : ParseNamedExpression(p);
}

ast::ExprRef ParseStarExpressions(Parser& p) {
  const uint32_t begin = p.begin();
  Gathered<ast::ExprRef> elements;
  do {
    if (!elements.empty() && !StartsExpression(p.token().kind)) break;
    ast::ExprRef element = p.At(TokenKind::kStar) ? ParseStarred(p) : ParseExpression(p);
    if (element == nullptr) return nullptr;
    if (elements.empty() && !p.At(TokenKind::kComma)) return element;
    elements.push_back(element);
  } while (p.Accept(TokenKind::kComma));
  return p.Make(begin, ast::Tuple{p.tree().CopyList(elements), false});
}

ast::ExprRef ParseYield(Parser& p) {
  const uint32_t begin = p.begin();
  p.Advance();
  if (p.Accept(TokenKind::kFrom)) {
    if (ParseExpression(p) == nullptr) return nullptr;
  } else if (StartsExpression(p.token().kind)) {
    if (ParseStarExpressions(p) == nullptr) return nullptr;
  }
  return p.Make(begin, ast::UnsupportedExpr{"a yield expression"});
}

ast::ExprRef ParseAssigned(Parser& p) {
  return p.At(TokenKind::kYield) ? ParseYield(p) : ParseStarExpressions(p);
}

bool StartsExpression(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
    case TokenKind::kInt:
    case TokenKind::kFloat:
    case TokenKind::kImaginary:
    case TokenKind::kString:
    case TokenKind::kFString:
    case TokenKind::kBytes:
    case TokenKind::kError:
    case TokenKind::kUnclosed:
    case TokenKind::kLeftParen:
    case TokenKind::kLeftSquare:
    case TokenKind::kLeftBrace:
    case TokenKind::kEllipsis:
    case TokenKind::kPlus:
    case TokenKind::kMinus:
    case TokenKind::kTilde:
    case TokenKind::kStar:
    case TokenKind::kNot:
    case TokenKind::kLambda:
    case TokenKind::kAwait:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kNone:
      return true;
    default:
      return false;
  }
}

}  // namespace lathe::relax_text
