// Implements the division rules of Arithmetic.
#include <algorithm>
#include <numeric>
#include <utility>

#include "generator/analysis/arithmetic/arithmetic.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Returns x and b if `sum` is x // b + constant, with a positive constant b.
const ir::Binary* SingleQuotient(const Sum& sum, BinaryOp op, int64_t& by) {
  if (sum.terms.size() != 1 || sum.terms[0].coefficient != 1) return nullptr;
  if (sum.terms[0].factors.size() != 1) return nullptr;
  const auto* n = sum.terms[0].factors[0]->As<ir::Binary>();
  if (n == nullptr || n->op != op) return nullptr;
  const auto* divisor = n->rhs->As<ir::IntImm>();
  if (divisor == nullptr || divisor->value <= 0) return nullptr;
  by = divisor->value;
  return n;
}

void DivideExactly(Sum& sum, int64_t by) {
  for (Term& term : sum.terms) term.coefficient /= by;
}

// Moves coefficients and constant into [0, by) and adds the removed multiples to `quotient`: the
// normal form of a division by a constant.
bool MakeNotNegative(Sum& sum, int64_t by, Sum& quotient) {
  Sum taken;
  for (const Term& term : sum.terms) {
    if (term.coefficient < 0) taken.terms.push_back(Term{term.factors, -1});
  }
  if (sum.constant < 0) taken.constant = -1;
  return AddScaled(sum, taken, -by) && AddScaled(quotient, taken, 1);
}

}  // namespace

// Cancels factors common to all terms of both sums, and common divisors of all numbers.
bool Arithmetic::CancelCommonFactors(Sum& numerator, Sum& divisor) {
  if (numerator.constant != 0 || divisor.constant != 0 || divisor.terms.size() != 1) return false;
  const std::vector<PrimRef> candidates = divisor.terms[0].factors;
  bool changed = false;
  for (PrimRef factor : candidates) {
    const auto has = [&](const Term& t) {
      return std::find(t.factors.begin(), t.factors.end(), factor) != t.factors.end();
    };
    if (numerator.terms.empty() ||
        !std::all_of(numerator.terms.begin(), numerator.terms.end(), has)) {
      continue;
    }
    const auto without = [&](const Sum& sum) {
      Sum result;
      for (Term term : sum.terms) {
        term.factors.erase(std::find(term.factors.begin(), term.factors.end(), factor));
        const Sum part =
            term.factors.empty() ? ConstantSum(term.coefficient) : Sum{{std::move(term)}, 0};
        AddScaled(result, part, 1);  // no sum grows: nothing can overflow
      }
      return result;
    };
    numerator = without(numerator);
    divisor = without(divisor);
    changed = true;
    if (divisor.is_constant()) break;
  }
  return changed;
}

Sum Arithmetic::FloorDivSum(Sum numerator, Sum divisor, ir::DType dtype) {
  const auto atom = [&](const Sum& a, const Sum& b) {
    return AtomSum(context_.Make(BinaryOp::kFloorDiv, Expr(a, dtype), Expr(b, dtype)));
  };
  if (divisor.is_constant() && divisor.constant == 0) return atom(numerator, divisor);
  if (divisor.is_constant() && divisor.constant == -1) {
    Sum negated;
    return AddScaled(negated, numerator, -1) ? negated : atom(numerator, divisor);
  }
  CancelCommonFactors(numerator, divisor);
  Sum quotient;
  const bool single = divisor.terms.size() + (divisor.constant != 0 ? 1 : 0) == 1;
  if (single) {
    Sum rest = numerator;
    if (!SplitMultiples(rest, divisor, quotient)) return atom(numerator, divisor);
    numerator = std::move(rest);
  } else if (const std::optional<Sum> exact = ExactQuotient(numerator, divisor)) {
    return *exact;
  }
  if (divisor.is_constant() && divisor.constant > 0) {
    int64_t by = divisor.constant;
    if (goal_ == Goal::kProving && !MakeNotNegative(numerator, by, quotient)) {
      return atom(numerator, divisor);
    }
    const int64_t gcd = std::gcd(CoefficientGcd(numerator), by);
    if (gcd > 1 && !numerator.is_constant()) {
      DivideExactly(numerator, gcd);
      numerator.constant = FloorDiv(numerator.constant, gcd);
      by /= gcd;
      divisor = ConstantSum(by);
    }
    int64_t inner = 0;
    int64_t both = 0;
    const ir::Binary* nested = SingleQuotient(numerator, BinaryOp::kFloorDiv, inner);
    if (nested != nullptr && !__builtin_mul_overflow(inner, by, &both)) {
      Sum deeper = AsSum(nested->lhs);  // (x // a + k) // b is (x + k * a) // (a * b)
      if (AddScaled(deeper, ConstantSum(numerator.constant), inner)) {
        Sum result = FloorDivSum(std::move(deeper), ConstantSum(both), dtype);
        if (AddScaled(result, quotient, 1)) return result;
      }
    }
  }
  Sum rest;
  const Interval range = FloorDiv(BoundsOf(numerator), BoundsOf(divisor));
  if (range.is_single()) {
    rest = ConstantSum(range.lo);
  } else if (divisor.is_constant() && divisor.constant == 1) {
    rest = numerator;
  } else if (!divisor.is_constant() && BoundsOf(numerator).lo >= 0 && BoundsOf(divisor).lo > 0) {
    Sum gap;  // positive if the numerator is provably below its divisor
    const bool below =
        AddScaled(gap, divisor, 1) && AddScaled(gap, numerator, -1) && BoundsOf(gap).lo > 0;
    rest = below ? Sum() : atom(numerator, divisor);
  } else {
    rest = atom(numerator, divisor);
  }
  if (AddScaled(rest, quotient, 1)) return rest;
  return atom(numerator, divisor);
}

Sum Arithmetic::FloorModSum(Sum numerator, const Sum& divisor, ir::DType dtype) {
  const auto atom = [&](const Sum& a, const Sum& b) {
    return AtomSum(context_.Make(BinaryOp::kFloorMod, Expr(a, dtype), Expr(b, dtype)));
  };
  if (divisor.is_constant() && divisor.constant == 0) return atom(numerator, divisor);
  if (divisor.is_constant() && (divisor.constant == 1 || divisor.constant == -1)) return Sum();
  if (goal_ == Goal::kProving) {
    Sum product;
    Sum result = numerator;
    const Sum quotient = FloorDivSum(numerator, divisor, dtype);
    if (Multiply(quotient, divisor, product) && AddScaled(result, product, -1)) return result;
    return atom(numerator, divisor);
  }
  const bool single = divisor.terms.size() + (divisor.constant != 0 ? 1 : 0) == 1;
  if (single) {
    Sum quotient;
    Sum rest = numerator;
    if (!SplitMultiples(rest, divisor, quotient)) return atom(numerator, divisor);
    numerator = std::move(rest);
  } else if (ExactQuotient(numerator, divisor)) {
    return Sum();
  }
  int64_t inner = 0;
  if (const ir::Binary* nested = SingleQuotient(numerator, BinaryOp::kFloorMod, inner);
      nested != nullptr && divisor.is_constant() && inner % divisor.constant == 0) {
    Sum deeper = AsSum(nested->lhs);
    if (AddScaled(deeper, ConstantSum(numerator.constant), 1)) {
      return FloorModSum(std::move(deeper), divisor, dtype);
    }
  }
  const Interval range = BoundsOf(numerator);
  if (divisor.is_constant() && divisor.constant > 0 && range.lo >= 0 &&
      range.hi < divisor.constant) {
    return numerator;
  }
  return numerator.is_constant() && numerator.constant == 0 ? Sum() : atom(numerator, divisor);
}

// Truncating division equals floor division if neither operand is negative.
Sum Arithmetic::TruncatedSum(BinaryOp op, const Sum& numerator, const Sum& divisor,
                             ir::DType dtype) {
  const Interval over = BoundsOf(numerator);
  const Interval by = BoundsOf(divisor);
  if (over.lo >= 0 && by.lo > 0) {
    return op == BinaryOp::kDiv ? FloorDivSum(numerator, divisor, dtype)
                                : FloorModSum(numerator, divisor, dtype);
  }
  if (over.is_single() && by.is_single() && by.lo != 0 && by.lo != -1) {
    return ConstantSum(op == BinaryOp::kDiv ? over.lo / by.lo : over.lo % by.lo);
  }
  return AtomSum(context_.Make(op, Expr(numerator, dtype), Expr(divisor, dtype)));
}

}  // namespace lathe::analysis
