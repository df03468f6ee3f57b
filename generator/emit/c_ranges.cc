#include "generator/emit/c_ranges.h"

#include "generator/emit/print_c_expr.h"

namespace lathe::emit {
namespace {

// Whether its value is in its range: what wraps around may have any.
bool KeepsItsRange(CScope& scope, ir::PrimRef e) {
  const bool is_leaf = e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr;
  if (is_leaf) return true;
  if (e->dtype().is_int() && !NeverOverflows(scope, e)) return false;
  bool keeps = e->As<ir::Load>() == nullptr;
  ir::ForEachOperand(e, [&](ir::PrimRef part) { keeps = keeps && KeepsItsRange(scope, part); });
  return keeps;
}

// Numbers of these signs have a sum, or a difference, between them.
bool StaysBetween(CScope& scope, const ir::Binary& n) {
  if (!KeepsItsRange(scope, n.lhs) || !KeepsItsRange(scope, n.rhs)) return false;
  const analysis::Interval a = RangeOf(scope, n.lhs), b = RangeOf(scope, n.rhs);
  if (n.op == ir::BinaryOp::kSub) return (a.lo >= 0 && b.lo >= 0) || (a.hi < 0 && b.hi < 0);
  return n.op == ir::BinaryOp::kAdd && ((a.lo >= 0 && b.hi < 0) || (a.hi < 0 && b.lo >= 0));
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

bool NeverOverflows(CScope& scope, ir::PrimRef e) {
  if (FitsBits(scope, e, e->dtype().bits)) return true;
  const auto* n = e->As<ir::Binary>();
  return n != nullptr && StaysBetween(scope, *n);
}

}  // namespace lathe::emit
