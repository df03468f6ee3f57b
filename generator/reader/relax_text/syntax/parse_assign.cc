#include "generator/reader/relax_text/syntax/parse_assign.h"

#include <optional>

#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_target.h"

namespace lathe::relax_text {
namespace {

std::optional<ast::BinaryOp> AugmentedOp(TokenKind kind) {
  using ast::BinaryOp;
  switch (kind) {
    case TokenKind::kPlusEqual:
      return BinaryOp::kAdd;
    case TokenKind::kMinusEqual:
      return BinaryOp::kSub;
    case TokenKind::kStarEqual:
      return BinaryOp::kMul;
    case TokenKind::kDoubleStarEqual:
      return BinaryOp::kPow;
    case TokenKind::kSlashEqual:
      return BinaryOp::kDiv;
    case TokenKind::kDoubleSlashEqual:
      return BinaryOp::kFloorDiv;
    case TokenKind::kPercentEqual:
      return BinaryOp::kMod;
    case TokenKind::kAtEqual:
      return BinaryOp::kMatMul;
    case TokenKind::kShiftLeftEqual:
      return BinaryOp::kShiftLeft;
    case TokenKind::kShiftRightEqual:
      return BinaryOp::kShiftRight;
    case TokenKind::kAmpersandEqual:
      return BinaryOp::kBitAnd;
    case TokenKind::kBarEqual:
      return BinaryOp::kBitOr;
    case TokenKind::kCaretEqual:
      return BinaryOp::kBitXor;
    default:
      return std::nullopt;
  }
}

// Annotated and augmented assignments have one target, which must not be a tuple.
bool CheckSingleTarget(Parser& p, const ast::Expr& target, absl::string_view what) {
  if (target.As<ast::Name>() != nullptr || target.As<ast::Attribute>() != nullptr ||
      target.As<ast::Subscript>() != nullptr) {
    return true;
  }
  p.Error(target.span()) << what << " needs one target, a name, attribute or subscript, got "
                         << Describe(target);
  return false;
}

ast::StmtRef ParseAnnotated(Parser& p, uint32_t begin, ast::ExprRef target) {
  if (!CheckSingleTarget(p, *target, "an annotated assignment")) return nullptr;
  p.Advance();
  ast::ExprRef annotation = ParseExpression(p);
  if (annotation == nullptr) return nullptr;
  ast::ExprRef value = nullptr;
  if (p.Accept(TokenKind::kEqual)) {
    value = ParseAssigned(p);
    if (value == nullptr) return nullptr;
  }
  return p.MakeStmt(begin, ast::AnnAssign{target, annotation, value});
}

ast::StmtRef ParseAugmented(Parser& p, uint32_t begin, ast::ExprRef target, ast::BinaryOp op) {
  if (!CheckSingleTarget(p, *target, "an augmented assignment")) return nullptr;
  const TextSpan op_span = p.Span(p.token());
  p.Advance();
  ast::ExprRef value = ParseAssigned(p);
  if (value == nullptr) return nullptr;
  return p.MakeStmt(begin, ast::AugAssign{target, op, op_span, value});
}

ast::StmtRef ParseChain(Parser& p, uint32_t begin, ast::ExprRef first) {
  Gathered<ast::ExprRef> targets;
  ast::ExprRef last = first;
  while (p.At(TokenKind::kEqual)) {
    if (!CheckTarget(p, *last)) return nullptr;
    targets.push_back(last);
    p.Advance();
    last = ParseAssigned(p);
    if (last == nullptr) return nullptr;
  }
  return p.MakeStmt(begin, ast::Assign{p.tree().CopyList(targets), last});
}

}  // namespace

ast::StmtRef ParseExprOrAssignment(Parser& p) {
  const uint32_t begin = p.begin();
  ast::ExprRef first = ParseAssigned(p);
  if (first == nullptr) return nullptr;
  if (p.At(TokenKind::kEqual)) return ParseChain(p, begin, first);
  if (p.At(TokenKind::kColon)) return ParseAnnotated(p, begin, first);
  if (const std::optional<ast::BinaryOp> op = AugmentedOp(p.token().kind)) {
    return ParseAugmented(p, begin, first, *op);
  }
  return p.MakeStmt(begin, ast::ExprStmt{first});
}

}  // namespace lathe::relax_text
