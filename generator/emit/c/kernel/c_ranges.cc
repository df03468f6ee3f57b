#include "generator/emit/c/kernel/c_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/emit/c/kernel/print_c_expr.h"

namespace lathe::emit {
namespace {

bool OperandsAreInRange(CScope& scope, ir::PrimRef e);

// Returns true if `n` is a sum of operands of opposite signs, or a difference of operands of the
// same sign: the result lies between them and cannot overflow. The most expensive check, that the
// operands are in their ranges, comes last.
bool StaysBetween(CScope& scope, const ir::Binary& n) {
  if (n.op != ir::BinaryOp::kSub && n.op != ir::BinaryOp::kAdd) return false;
  const analysis::Interval a = RangeOf(scope, n.lhs), b = RangeOf(scope, n.rhs);
  const bool between = n.op == ir::BinaryOp::kSub
                           ? (a.lo >= 0 && b.lo >= 0) || (a.hi < 0 && b.hi < 0)
                           : (a.lo >= 0 && b.hi < 0) || (a.hi < 0 && b.lo >= 0);
  return between && KeepsItsRange(scope, n.lhs) && KeepsItsRange(scope, n.rhs);
}

}  // namespace

analysis::Interval RangeOf(CScope& scope, ir::PrimRef e) {
  return analysis::BoundsOf(scope.ir, ExpandAxes(scope, e), scope.ranges);
}

bool FitsBits(CScope& scope, ir::PrimRef e, int bits) {
  const analysis::Interval range = RangeOf(scope, e);
  if (bits == 64) return range.lo > analysis::kNegInf && range.hi < analysis::kPosInf;
  const int64_t bound = int64_t{1} << (bits - 1);
  return range.lo >= -bound && range.hi < bound;
}

namespace {

// Returns true if `range` excludes a value of a signed integer of `bits` bits.
bool SaysSomething(analysis::Interval range, int bits) {
  if (bits == 64) return range.lo > analysis::kNegInf || range.hi < analysis::kPosInf;
  const int64_t bound = int64_t{1} << (bits - 1);
  return range.lo > -bound || range.hi < bound - 1;
}

// Returns true if the value of `e` is certain to be in RangeOf(e). A sum that wraps around may be
// outside it, and so may an expression with such an operand. A value from memory is inside, because
// its range is that of its dtype.
bool IsInRange(CScope& scope, ir::PrimRef e) {
  if (const auto it = scope.axes.find(e); it != scope.axes.end())
    return IsInRange(scope, it->second);
  if (e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr) return true;
  const ir::DType dtype = e->dtype();
  if (!dtype.is_int() || !dtype.is_scalar()) return true;
  if (!SaysSomething(RangeOf(scope, e), dtype.bits)) return true;
  const auto* n = e->As<ir::Binary>();
  const bool sums = e->As<ir::Unary>() != nullptr ||
                    (n != nullptr && (n->op == ir::BinaryOp::kAdd || n->op == ir::BinaryOp::kSub ||
                                      n->op == ir::BinaryOp::kMul));
  if (sums && !FitsBits(scope, e, dtype.bits)) return n != nullptr && StaysBetween(scope, *n);
  return OperandsAreInRange(scope, e);
}

bool OperandsAreInRange(CScope& scope, ir::PrimRef e) {
  bool in_range = true;
  ir::ForEachOperand(e, [&](ir::PrimRef part) { in_range = in_range && IsInRange(scope, part); });
  return in_range;
}

}  // namespace

analysis::Interval CertainRangeOf(CScope& scope, ir::PrimRef e) {
  return IsInRange(scope, e) ? RangeOf(scope, e) : analysis::Interval();
}

bool KeepsItsRange(CScope& scope, ir::PrimRef e) {
  if (const auto it = scope.axes.find(e); it != scope.axes.end()) {
    return KeepsItsRange(scope, it->second);
  }
  if (e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr) return true;
  if (e->As<ir::Load>() != nullptr) return false;
  if (e->dtype().is_int() && !FitsBits(scope, e, e->dtype().bits)) {
    const auto* n = e->As<ir::Binary>();
    return n != nullptr && StaysBetween(scope, *n);  // checks the operands, too
  }
  bool keeps = true;
  ir::ForEachOperand(e, [&](ir::PrimRef part) { keeps = keeps && KeepsItsRange(scope, part); });
  return keeps;
}

bool NeverOverflows(CScope& scope, ir::PrimRef e) {
  if (FitsBits(scope, e, e->dtype().bits)) return OperandsAreInRange(scope, e);
  const auto* n = e->As<ir::Binary>();
  return n != nullptr && StaysBetween(scope, *n);
}

std::optional<CFloatRange> FloatRangeOf(const CScope& scope, ir::PrimRef e) {
  if (const auto* number = e->As<ir::FloatImm>()) {
    if (std::isnan(number->value)) return std::nullopt;
    return CFloatRange{number->value, number->value};
  }
  if (const auto known = scope.floats.find(e); known != scope.floats.end()) return known->second;
  const auto* n = e->As<ir::Binary>();
  const bool least = n != nullptr && n->op == ir::BinaryOp::kMin;
  if (n == nullptr || (!least && n->op != ir::BinaryOp::kMax)) return std::nullopt;
  const std::optional<CFloatRange> bound = FloatRangeOf(scope, n->rhs);
  if (!bound) return std::nullopt;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const CFloatRange value =
      FloatRangeOf(scope, n->lhs).value_or(CFloatRange{-kInfinity, kInfinity});
  if (least) return CFloatRange{std::min(value.lo, bound->lo), std::min(value.hi, bound->hi)};
  return CFloatRange{std::max(value.lo, bound->lo), std::max(value.hi, bound->hi)};
}

}  // namespace lathe::emit
