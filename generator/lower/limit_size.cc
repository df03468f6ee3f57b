#include "generator/lower/limit_size.h"

#include <algorithm>
#include <optional>

#include "generator/analysis/arithmetic/bounds.h"
#include "generator/lower/known_sizes.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::lower {
namespace {

using analysis::Interval;
using ir::BinaryOp;
using ir::PrimRef;

// The bound of values whose sums and differences do not overflow.
constexpr int64_t kMaxPart = int64_t{1} << 62;
// The largest value whose square is at most kMaxElements.
constexpr int64_t kMaxSquared = int64_t{1} << 29;

bool IsWithin(Interval range, int64_t most) { return range.lo >= -most && range.hi <= most; }

int64_t MagnitudeOf(Interval range) {
  return range.lo == analysis::kNegInf ? analysis::kPosInf : std::max(-range.lo, range.hi);
}

class Limiting {
 public:
  Limiting(ir::Context& ir, const analysis::Assumptions& known, SignedSums sums,
           const std::function<void(PrimRef)>& check)
      : ir_(ir), known_(known), sums_(sums), check_(check) {}

  bool wraps() const { return wraps_; }

  Interval Of(PrimRef e) {
    if (e->As<ir::IntImm>() != nullptr || e->As<ir::SymVar>() != nullptr) {
      return analysis::BoundsOf(ir_, e, known_);
    }
    if (const auto* n = e->As<ir::Binary>()) return OfBinary(e, *n);
    if (const auto* n = e->As<ir::Select>()) {
      (void)Of(n->cond);
      const Interval if_true = Of(n->if_true);
      return Union(if_true, Of(n->if_false));
    }
    if (const auto* n = e->As<ir::Cast>()) {
      const Interval value = Of(n->value);
      const bool same = n->value->dtype().is_int() && e->dtype().bits >= n->value->dtype().bits;
      return same ? value : Interval();
    }
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && call->name == "if_then_else") {
      (void)Of(call->args[0]);
      const Interval if_true = OfGuarded(call->args[1], call->args[0]);
      return Union(if_true, OfGuarded(call->args[2], Not(call->args[0])));
    }
    ir::ForEachOperand(e, [&](PrimRef part) { (void)Of(part); });
    return {};
  }

 private:
  // The checks of a guarded operand need to hold only if `cond` does.
  Interval OfGuarded(PrimRef e, PrimRef cond) {
    const PrimRef outer = guard_;
    guard_ = outer == nullptr ? cond : ir_.Make(BinaryOp::kAnd, outer, cond);
    const Interval range = Of(e);
    guard_ = outer;
    return range;
  }

  Interval OfBinary(PrimRef e, const ir::Binary& n) {
    const Interval a = Of(n.lhs);
    if (n.op == BinaryOp::kAnd || n.op == BinaryOp::kOr) {
      (void)OfGuarded(n.rhs, n.op == BinaryOp::kAnd ? n.lhs : Not(n.lhs));
      return {0, 1};
    }
    const Interval b = Of(n.rhs);
    const bool wide = e->dtype() == ir::DType::Int(64);
    const bool positive = a.lo >= 0 && b.lo >= 0;
    switch (n.op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
        return wide ? OfSum(n, a, b) : Interval();
      case BinaryOp::kMul:
        return wide ? OfProduct(n, a, b) : Interval();
      case BinaryOp::kDiv:
      case BinaryOp::kFloorDiv: {
        NotZero(n.rhs, b);
        const int64_t most = MagnitudeOf(a);
        return positive ? Interval{0, a.hi} : Interval{-most, most};
      }
      case BinaryOp::kMod:
      case BinaryOp::kFloorMod:
        NotZero(n.rhs, b);
        return positive ? Interval{0, b.hi} : Interval();
      case BinaryOp::kMin:
        return Min(a, b);
      case BinaryOp::kMax:
        return Max(a, b);
      default:
        return {};
    }
  }

  // An overflowing sum of signed values is negative or exceeds all limits, except for two operands
  // near the minimum. The user of the sum checks the result.
  Interval OfSum(const ir::Binary& n, Interval a, Interval b) {
    const Interval sum = n.op == BinaryOp::kAdd ? a + b : a - b;
    if (IsWithin(sum, kMaxPart)) return sum;
    if (a.lo < 0 || b.lo < 0) {
      if (sums_ == SignedSums::kLimited) {
        WithinMost(n.lhs, a, kMaxElements);
        WithinMost(n.rhs, b, kMaxElements);
        return {-kMaxPart, kMaxPart};
      }
      wraps_ = true;
      return {};
    }
    if (n.op == BinaryOp::kSub) return sum;
    NeedAtMost(n.lhs, a, kMaxElements);
    NeedAtMost(n.rhs, b, kMaxElements);
    return {sum.lo, kMaxPart};
  }

  Interval OfProduct(const ir::Binary& n, Interval a, Interval b) {
    if (const Interval product = a * b; IsWithin(product, kMaxPart)) return product;
    if (n.lhs == n.rhs) {
      WithinMost(n.lhs, a, kMaxSquared);
      return {0, kMaxElements};
    }
    const Interval result = {a.lo >= 0 && b.lo >= 0 ? 0 : -kMaxElements, kMaxElements};
    const auto* number = n.rhs->As<ir::IntImm>();
    if (number != nullptr && number->value != analysis::kNegInf) {
      WithinMost(n.lhs, a, kMaxElements / std::max<int64_t>(MagnitudeOf(b), 1));
      return result;
    }
    const PrimRef first = Magnitude(n.lhs, a), second = Magnitude(n.rhs, b);
    const PrimRef by = b.lo >= 1 ? second : ir_.Make(BinaryOp::kMax, second, ir_.Int(1));
    Check(ir_.Make(BinaryOp::kLe, first, ir_.Make(BinaryOp::kFloorDiv, ir_.Int(kMaxElements), by)));
    return result;
  }

  // The absolute value of `e`. It exists if the check holds.
  PrimRef Magnitude(PrimRef e, Interval range) {
    if (range.lo >= 0) return e;
    WithinMost(e, range, kMaxElements);
    return ir_.Make(BinaryOp::kMax, e, ir_.Make(BinaryOp::kSub, ir_.Int(0), e));
  }

  void WithinMost(PrimRef e, Interval range, int64_t most) {
    if (range.lo < -most) Check(ir_.Make(BinaryOp::kLe, ir_.Int(-most), e));
    NeedAtMost(e, range, most);
  }
  void NeedAtMost(PrimRef e, Interval range, int64_t most) {
    if (range.hi <= most) return;
    if (nest::AnyConjunct(guard_, [&](PrimRef cond) { return IsNoMoreThan(cond, e, most); }))
      return;
    Check(ir_.Make(BinaryOp::kLe, e, ir_.Int(most)));
  }
  void NotZero(PrimRef e, Interval range) {
    if (!range.Contains(0)) return;
    if (nest::AnyConjunct(guard_, [&](PrimRef cond) { return IsMoreThanZero(cond, e); })) return;
    Check(ir_.Make(BinaryOp::kNe, e, ir_.Int(0, e->dtype())));
  }

  // Returns whether `cond` is `e > 0`.
  static bool IsMoreThanZero(PrimRef cond, PrimRef e) {
    const auto* n = cond->As<ir::Binary>();
    if (n == nullptr || (n->op != BinaryOp::kLt && n->op != BinaryOp::kGt)) return false;
    const bool less = n->op == BinaryOp::kLt;
    const std::optional<int64_t> low = nest::Number(less ? n->lhs : n->rhs);
    return (less ? n->rhs : n->lhs) == e && low && *low >= 0;
  }

  // Returns whether `cond` is an upper bound of `e` by a number of at most `most`.
  static bool IsNoMoreThan(PrimRef cond, PrimRef e, int64_t most) {
    const auto* negated = cond->As<ir::Unary>();
    const bool is_not = negated != nullptr && negated->op == ir::UnaryOp::kNot;
    const auto* n = (is_not ? negated->value : cond)->As<ir::Binary>();
    if (n == nullptr) return false;
    const bool less = n->op == BinaryOp::kLt || n->op == BinaryOp::kLe;
    const bool more = n->op == BinaryOp::kGt || n->op == BinaryOp::kGe;
    if (!less && !more) return false;
    const bool first = less != is_not;  // the smaller operand comes first
    const std::optional<int64_t> high = nest::Number(first ? n->rhs : n->lhs);
    return (first ? n->lhs : n->rhs) == e && high && *high <= most;
  }

  void Check(PrimRef cond) {
    check_(guard_ == nullptr ? cond : ir_.Make(BinaryOp::kOr, Not(guard_), cond));
  }
  PrimRef Not(PrimRef e) { return ir_.Make(ir::UnaryOp::kNot, e); }

  ir::Context& ir_;
  const analysis::Assumptions& known_;
  const SignedSums sums_;
  const std::function<void(PrimRef)>& check_;
  PrimRef guard_ = nullptr;  // condition of the current operand; null: none
  bool wraps_ = false;
};

}  // namespace

LimitedSize LimitSize(ir::Context& context, PrimRef size, const analysis::Assumptions& known,
                      SignedSums sums, const std::function<void(PrimRef)>& check) {
  Limiting limiting(context, known, sums, check);
  const Interval range = limiting.Of(size);
  return {range, limiting.wraps()};
}

}  // namespace lathe::lower
