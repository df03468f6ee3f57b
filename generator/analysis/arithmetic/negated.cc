#include "generator/analysis/arithmetic/negated.h"

namespace lathe::analysis {

using ir::BinaryOp;

BinaryOp Opposite(BinaryOp op) {
  if (op == BinaryOp::kEq) return BinaryOp::kNe;
  if (op == BinaryOp::kNe) return BinaryOp::kEq;
  if (op == BinaryOp::kLt) return BinaryOp::kGe;
  if (op == BinaryOp::kGe) return BinaryOp::kLt;
  return op == BinaryOp::kGt ? BinaryOp::kLe : BinaryOp::kGt;
}

ir::PrimRef Negated(ir::Context& context, ir::PrimRef cond) {
  if (const auto* unary = cond->As<ir::Unary>(); unary != nullptr) {
    if (unary->op == ir::UnaryOp::kNot && unary->value->dtype().is_bool()) return unary->value;
  }
  const auto* binary = cond->As<ir::Binary>();
  if (binary != nullptr && IsComparison(binary->op) && !binary->lhs->dtype().is_floating()) {
    return context.Make(Opposite(binary->op), binary->lhs, binary->rhs);
  }
  if (binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr)) {
    return context.Make(binary->op == BinaryOp::kAnd ? BinaryOp::kOr : BinaryOp::kAnd,
                        Negated(context, binary->lhs), Negated(context, binary->rhs));
  }
  return context.Make(ir::UnaryOp::kNot, cond);
}

}  // namespace lathe::analysis
