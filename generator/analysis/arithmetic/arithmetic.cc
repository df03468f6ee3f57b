#include "generator/analysis/arithmetic/arithmetic.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/negated.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/tri.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// All values of the type; 64-bit ends are infinite.
Interval RangeOfType(ir::DType dtype) {
  if (dtype.is_bool()) return {0, 1};
  if (dtype.bits >= 64 || !dtype.is_integer()) return {};
  const int64_t half = int64_t{1} << (dtype.bits - 1);
  return dtype.is_uint() ? Interval{0, half - 1 + half} : Interval{-half, half - 1};
}

bool IsTrue(PrimRef e) {
  const auto* n = e->As<ir::IntImm>();
  return n != nullptr && n->value != 0;
}
bool IsFalse(PrimRef e) {
  const auto* n = e->As<ir::IntImm>();
  return n != nullptr && n->value == 0;
}

// Decides whether `lhs op rhs` holds for all, or none, of the values of rhs - lhs in `gap`.
ir::Tri Decide(BinaryOp op, Interval gap) {
  const auto tri = [](bool yes, bool no) {
    return yes ? ir::Tri::kYes : no ? ir::Tri::kNo : ir::Tri::kUnknown;
  };
  const bool zero = gap.lo == 0 && gap.hi == 0;
  switch (op) {
    case BinaryOp::kEq:
      return tri(zero, !gap.Contains(0));
    case BinaryOp::kNe:
      return tri(!gap.Contains(0), zero);
    case BinaryOp::kLt:
      return tri(gap.lo > 0, gap.hi <= 0);
    case BinaryOp::kLe:
      return tri(gap.lo >= 0, gap.hi < 0);
    case BinaryOp::kGt:
      return tri(gap.hi < 0, gap.lo >= 0);
    default:
      return tri(gap.hi <= 0, gap.lo > 0);
  }
}

}  // namespace

Sum Arithmetic::AsSum(PrimRef e) {
  if (const auto* n = e->As<ir::IntImm>()) return ConstantSum(n->value);
  if (const auto it = sums_.find(e); it != sums_.end()) return it->second;
  if (depth_ >= kMaxArithmeticDepth) return AtomSum(e);
  ++depth_;
  Sum sum = BuildSum(e);
  --depth_;
  sums_.emplace(e, sum);
  return sum;
}

Sum Arithmetic::BuildSum(PrimRef e) {
  if (const auto* n = e->As<ir::Binary>()) return BinarySum(e, *n);
  if (const auto* n = e->As<ir::Unary>(); n != nullptr && n->op == ir::UnaryOp::kNeg) {
    Sum sum;
    if (AddScaled(sum, AsSum(n->value), -1)) return sum;
  }
  if (const auto* n = e->As<ir::Cast>(); n != nullptr && IsSignedScalar(n->value->dtype()) &&
                                         n->value->dtype().bits < e->dtype().bits) {
    return WideningCast(e, n->value);
  }
  const PrimRef simpler = Rebuild(e);
  return simpler == e ? AtomSum(e) : AsSum(simpler);
}

Sum Arithmetic::BinarySum(PrimRef e, const ir::Binary& n) {
  if (n.op == BinaryOp::kMin || n.op == BinaryOp::kMax) return MinMaxSum(n.op, e);
  if (n.op > BinaryOp::kFloorMod) return AtomSum(Rebuild(e));  // bits and shifts
  const Sum lhs = AsSum(n.lhs);
  const Sum rhs = AsSum(n.rhs);
  Sum result;
  switch (n.op) {
    case BinaryOp::kAdd:
      if (AddScaled(result, lhs, 1) && AddScaled(result, rhs, 1)) return result;
      break;
    case BinaryOp::kSub:
      if (AddScaled(result, lhs, 1) && AddScaled(result, rhs, -1)) return result;
      break;
    case BinaryOp::kMul:
      if (Multiply(lhs, rhs, result)) return result;
      break;
    case BinaryOp::kFloorDiv:
      return FloorDivSum(lhs, rhs, e->dtype());
    case BinaryOp::kFloorMod:
      return FloorModSum(lhs, rhs, e->dtype());
    case BinaryOp::kDiv:
    case BinaryOp::kMod:
      return TruncatedSum(n.op, lhs, rhs, e->dtype());
    default:
      break;
  }
  return AtomSum(e);  // too large, or beyond 64 bits
}

// int64(n * 4 + 1) is int64(n) * 4 + 1.
Sum Arithmetic::WideningCast(PrimRef e, PrimRef narrow) {
  Sum wide;
  const Sum inner = AsSum(narrow);
  wide.constant = inner.constant;
  for (const Term& term : inner.terms) {
    Sum product = ConstantSum(term.coefficient);
    for (PrimRef factor : term.factors) {
      Sum next;
      const PrimRef atom = context_.Make(e->dtype(), ir::Cast{factor});
      if (!Multiply(product, AtomSum(atom), next)) return AtomSum(e);
      product = std::move(next);
    }
    if (!AddScaled(wide, product, 1)) return AtomSum(e);
  }
  return wide;
}

Interval Arithmetic::BoundsOf(const Sum& sum) {
  Interval total = Interval::Single(sum.constant);
  for (const Term& term : sum.terms) {
    Interval product = Interval::Single(1);
    for (size_t i = 0; i < term.factors.size(); ++i) {
      const Interval range = BoundsOfAtom(term.factors[i]);
      const bool square = i + 1 < term.factors.size() && term.factors[i] == term.factors[i + 1];
      Interval factor = range;
      if (square) {  // never negative, which the product of two unrelated ranges does not express
        factor = range * range;
        factor.lo = std::max<int64_t>(factor.lo, 0);
        ++i;
      }
      product = product * factor;
    }
    total = total + product * Interval::Single(term.coefficient);
  }
  return total;
}

Interval Arithmetic::BoundsOfAtom(PrimRef atom) {
  const Interval any = RangeOfType(atom->dtype());
  if (atom->As<ir::SymVar>() != nullptr) {
    const Interval known = known_.RangeOf(context_, atom);
    return {std::max(known.lo, any.lo), std::min(known.hi, any.hi)};
  }
  if (depth_ >= kMaxArithmeticDepth) return any;
  ++depth_;
  const auto bounds = [&](PrimRef e) {
    return IsSignedScalar(e->dtype()) ? BoundsOf(AsSum(e)) : RangeOfType(e->dtype());
  };
  Interval result = any;
  if (const auto* n = atom->As<ir::Binary>()) {
    switch (n->op) {
      case BinaryOp::kFloorDiv:
        result = FloorDiv(bounds(n->lhs), bounds(n->rhs));
        break;
      case BinaryOp::kFloorMod:
        result = FloorMod(bounds(n->lhs), bounds(n->rhs));
        break;
      case BinaryOp::kMin:
        result = Min(bounds(n->lhs), bounds(n->rhs));
        break;
      case BinaryOp::kMax:
        result = Max(bounds(n->lhs), bounds(n->rhs));
        break;
      case BinaryOp::kBitAnd: {
        // At most the smaller of the operands that are not negative.
        const Interval a = bounds(n->lhs), b = bounds(n->rhs);
        if (a.lo >= 0) result = {0, a.hi};
        if (b.lo >= 0) result = {0, a.lo >= 0 ? std::min(a.hi, b.hi) : b.hi};
        break;
      }
      default:
        break;
    }
  } else if (const auto* s = atom->As<ir::Select>()) {
    result = Union(bounds(s->if_true), bounds(s->if_false));
  } else if (const auto* call = atom->As<ir::Intrinsic>();
             call != nullptr && call->name == "if_then_else" && call->args.size() == 3) {
    result = Union(bounds(call->args[1]), bounds(call->args[2]));
  } else if (const auto* cast = atom->As<ir::Cast>()) {
    const Interval inner = bounds(cast->value);
    if (cast->value->dtype().is_integer() || cast->value->dtype().is_bool()) {
      if (any.lo <= inner.lo && inner.hi <= any.hi) result = inner;
    }
  }
  --depth_;
  return result;
}

PrimRef Arithmetic::Simplify(PrimRef e) {
  if (IsSignedScalar(e->dtype())) return Expr(AsSum(e), e->dtype());
  if (const auto it = simplified_.find(e); it != simplified_.end()) return it->second;
  if (depth_ >= kMaxArithmeticDepth) return e;
  ++depth_;
  const PrimRef result =
      e->dtype().is_bool() && e->dtype().is_scalar() ? SimplifyCondition(e) : Rebuild(e);
  --depth_;
  simplified_.emplace(e, result);
  return result;
}

// Rebuilds `e` from simplified operands and resolves conditions that are constant.
PrimRef Arithmetic::Rebuild(PrimRef e) {
  // The body of a let and the results of a reducer have their own variables: kept unchanged.
  if (e->As<ir::Let>() != nullptr || e->As<ir::CommReducer>() != nullptr) return e;
  const PrimRef rebuilt =
      ir::MapOperands(context_, e, [&](PrimRef operand) { return Simplify(operand); });
  if (const auto* s = rebuilt->As<ir::Select>()) {
    if (IsTrue(s->cond) || s->if_true == s->if_false) return s->if_true;
    if (IsFalse(s->cond)) return s->if_false;
  }
  if (const auto* call = rebuilt->As<ir::Intrinsic>();
      call != nullptr && call->name == "if_then_else" && call->args.size() == 3) {
    if (IsTrue(call->args[0])) return call->args[1];
    if (IsFalse(call->args[0])) return call->args[2];
  }
  if (const auto* cast = rebuilt->As<ir::Cast>()) {
    const auto* n = cast->value->As<ir::IntImm>();
    const bool integer = rebuilt->dtype().is_integer() && rebuilt->dtype().is_scalar();
    if (n != nullptr && integer && !cast->value->dtype().is_uint() &&
        RangeOfType(rebuilt->dtype()).Contains(n->value) &&
        !(rebuilt->dtype().is_uint() && n->value < 0)) {
      return context_.Int(n->value, rebuilt->dtype());
    }
  }
  return rebuilt;
}

PrimRef Arithmetic::SimplifyCondition(PrimRef e) {
  if (const auto* n = e->As<ir::Unary>(); n != nullptr && n->op == ir::UnaryOp::kNot) {
    const PrimRef value = Simplify(n->value);
    if (IsTrue(value) || IsFalse(value)) return context_.Bool(IsFalse(value));
    if (const auto* inner = value->As<ir::Unary>(); inner && inner->op == ir::UnaryOp::kNot) {
      return inner->value;
    }
    const auto* comparison = value->As<ir::Binary>();
    if (comparison != nullptr && ir::IsComparison(comparison->op) &&
        IsSignedScalar(comparison->lhs->dtype())) {
      return context_.Make(Opposite(comparison->op), comparison->lhs, comparison->rhs);
    }
    return context_.Make(ir::UnaryOp::kNot, value);
  }
  const auto* n = e->As<ir::Binary>();
  if (n == nullptr) return Rebuild(e);
  if (ir::IsComparison(n->op)) return SimplifyComparison(e, *n);
  if (n->op != BinaryOp::kAnd && n->op != BinaryOp::kOr) return Rebuild(e);
  const PrimRef lhs = Simplify(n->lhs);
  const PrimRef rhs = Simplify(n->rhs);
  const bool is_and = n->op == BinaryOp::kAnd;
  if (is_and ? IsFalse(lhs) || IsFalse(rhs) : IsTrue(lhs) || IsTrue(rhs)) {
    return context_.Bool(!is_and);
  }
  if (is_and ? IsTrue(lhs) : IsFalse(lhs)) return rhs;
  if (is_and ? IsTrue(rhs) : IsFalse(rhs)) return lhs;
  return lhs == rhs ? lhs : context_.Make(n->op, lhs, rhs);
}

PrimRef Arithmetic::SimplifyComparison(PrimRef e, const ir::Binary& n) {
  if (!IsSignedScalar(n.lhs->dtype()) || n.rhs->dtype() != n.lhs->dtype()) return Rebuild(e);
  Sum gap;
  if (AddScaled(gap, AsSum(n.rhs), 1) && AddScaled(gap, AsSum(n.lhs), -1)) {
    const ir::Tri answer = Decide(n.op, BoundsOf(gap));
    if (answer != ir::Tri::kUnknown) return context_.Bool(answer == ir::Tri::kYes);
  }
  return context_.Make(n.op, Simplify(n.lhs), Simplify(n.rhs));
}

}  // namespace lathe::analysis
