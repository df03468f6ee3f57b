#include "generator/emit/c_ranges.h"

#include "generator/emit/print_c_expr.h"

namespace lathe::emit {
namespace {

// Numbers of these signs have a sum, or a difference, between them. What takes longest, whether the
// operands are in their ranges, is asked last.
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

bool KeepsItsRange(CScope& scope, ir::PrimRef e) {
  if (e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr) return true;
  if (e->As<ir::Load>() != nullptr) return false;
  if (e->dtype().is_int() && !FitsBits(scope, e, e->dtype().bits)) {
    const auto* n = e->As<ir::Binary>();
    return n != nullptr && StaysBetween(scope, *n);  // which asks its operands
  }
  bool keeps = true;
  ir::ForEachOperand(e, [&](ir::PrimRef part) { keeps = keeps && KeepsItsRange(scope, part); });
  return keeps;
}

bool NeverOverflows(CScope& scope, ir::PrimRef e) {
  if (FitsBits(scope, e, e->dtype().bits)) return true;
  const auto* n = e->As<ir::Binary>();
  return n != nullptr && StaysBetween(scope, *n);
}

}  // namespace lathe::emit
