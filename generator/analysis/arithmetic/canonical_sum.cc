#include "generator/analysis/arithmetic/canonical_sum.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "generator/ir/canonical_order.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Higher degree first, then by factors.
int Compare(const Term& a, const Term& b) {
  if (a.factors.size() != b.factors.size()) return a.factors.size() > b.factors.size() ? -1 : 1;
  for (size_t i = 0; i < a.factors.size(); ++i) {
    if (a.factors[i] == b.factors[i]) continue;
    return ir::CompareCanonically(a.factors[i], b.factors[i]);
  }
  return 0;
}

bool AddTo(int64_t& a, int64_t b) { return !__builtin_add_overflow(a, b, &a); }
bool Times(int64_t a, int64_t b, int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

// Returns whether `factors` contain all of `divisor`; the remaining factors go to `rest`.
bool RemoveFactors(const std::vector<PrimRef>& factors, const std::vector<PrimRef>& divisor,
                   std::vector<PrimRef>& rest) {
  rest.clear();
  std::set_difference(factors.begin(), factors.end(), divisor.begin(), divisor.end(),
                      std::back_inserter(rest), ir::PrecedesCanonically);
  return rest.size() + divisor.size() == factors.size();
}

PrimRef Product(ir::Context& context, const std::vector<PrimRef>& factors) {
  PrimRef product = factors.front();
  for (size_t i = 1; i < factors.size(); ++i) {
    product = context.Make(BinaryOp::kMul, product, factors[i]);
  }
  return product;
}

}  // namespace

Sum ConstantSum(int64_t value) { return {{}, value}; }
Sum AtomSum(PrimRef atom) { return {{Term{{atom}, 1}}, 0}; }

bool AddScaled(Sum& sum, const Sum& other, int64_t scale) {
  int64_t scaled = 0;
  if (!Times(other.constant, scale, scaled) || !AddTo(sum.constant, scaled)) return false;
  std::vector<Term> merged;
  merged.reserve(sum.terms.size() + other.terms.size());
  size_t i = 0;
  size_t j = 0;
  while (i < sum.terms.size() || j < other.terms.size()) {
    const int order = i == sum.terms.size()     ? 1
                      : j == other.terms.size() ? -1
                                                : Compare(sum.terms[i], other.terms[j]);
    if (order < 0) {
      merged.push_back(std::move(sum.terms[i++]));
      continue;
    }
    Term term = other.terms[j++];
    if (!Times(term.coefficient, scale, term.coefficient)) return false;
    if (order == 0 && !AddTo(term.coefficient, sum.terms[i++].coefficient)) return false;
    if (term.coefficient != 0) merged.push_back(std::move(term));
  }
  sum.terms = std::move(merged);
  return sum.terms.size() <= kMaxTerms;
}

bool Multiply(const Sum& a, const Sum& b, Sum& product) {
  product = Sum();
  if (!AddScaled(product, a, b.constant)) return false;
  for (const Term& right : b.terms) {
    Sum row;
    if (a.constant != 0) {
      Term term = right;
      if (!Times(term.coefficient, a.constant, term.coefficient)) return false;
      row.terms.push_back(std::move(term));
    }
    for (const Term& left : a.terms) {
      Term term;
      std::merge(left.factors.begin(), left.factors.end(), right.factors.begin(),
                 right.factors.end(), std::back_inserter(term.factors), ir::PrecedesCanonically);
      if (term.factors.size() > kMaxFactors) return false;
      if (!Times(left.coefficient, right.coefficient, term.coefficient)) return false;
      row.terms.push_back(std::move(term));
    }
    std::sort(row.terms.begin(), row.terms.end(),
              [](const Term& x, const Term& y) { return Compare(x, y) < 0; });
    if (!AddScaled(product, row, 1)) return false;
  }
  return true;
}

bool Equal(const Sum& a, const Sum& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  for (size_t i = 0; i < a.terms.size(); ++i) {
    if (a.terms[i].coefficient != b.terms[i].coefficient) return false;
    if (a.terms[i].factors != b.terms[i].factors) return false;
  }
  return true;
}

bool SplitMultiples(Sum& sum, const Sum& divisor, Sum& quotient) {
  quotient = Sum();
  const bool by_constant = divisor.is_constant();
  const int64_t d = by_constant ? divisor.constant : divisor.terms.front().coefficient;
  const std::vector<PrimRef> none;
  const std::vector<PrimRef>& factors = by_constant ? none : divisor.terms.front().factors;
  if (d == -1 || d == 0) return false;  // -1 could overflow; nothing asks for it

  Sum rest;
  std::vector<PrimRef> left;
  for (Term& term : sum.terms) {
    const bool divides = RemoveFactors(term.factors, factors, left);
    // A constant divisor extracts its multiple from any coefficient, leaving a small remainder.
    const int64_t taken = !divides                    ? 0
                          : by_constant               ? term.coefficient / d
                          : term.coefficient % d == 0 ? term.coefficient / d
                                                      : 0;
    if (taken == 0) {
      rest.terms.push_back(std::move(term));
      continue;
    }
    Sum part = left.empty() ? ConstantSum(taken) : Sum{{Term{left, taken}}, 0};
    if (!AddScaled(quotient, part, 1)) return false;
    const int64_t remaining = term.coefficient - taken * d;
    if (remaining != 0) rest.terms.push_back(Term{std::move(term.factors), remaining});
  }
  rest.constant = sum.constant;
  if (by_constant) {
    const int64_t taken = sum.constant / d;
    if (!AddTo(quotient.constant, taken)) return false;
    rest.constant = sum.constant - taken * d;
  }
  sum = std::move(rest);
  return true;
}

// Divides as polynomials are divided: the first terms, which are the highest ones, decide.
std::optional<Sum> ExactQuotient(const Sum& sum, const Sum& divisor) {
  if (divisor.is_constant()) return std::nullopt;
  const Term& first = divisor.terms.front();
  Sum rest = sum, quotient;
  for (size_t turn = 0; turn < kMaxTerms && !rest.is_constant(); ++turn) {
    const Term& highest = rest.terms.front();
    std::vector<PrimRef> left;
    // The lowest number has no quotient by -1.
    constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
    if (highest.coefficient == kLowest || highest.coefficient % first.coefficient != 0 ||
        !RemoveFactors(highest.factors, first.factors, left)) {
      return std::nullopt;
    }
    const int64_t taken = highest.coefficient / first.coefficient;
    const Sum part = left.empty() ? ConstantSum(taken) : Sum{{Term{left, taken}}, 0};
    Sum product;
    if (!Multiply(part, divisor, product) || !AddScaled(rest, product, -1) ||
        !AddScaled(quotient, part, 1)) {
      return std::nullopt;
    }
  }
  if (!rest.is_constant() || rest.constant != 0) return std::nullopt;
  return quotient;
}

std::optional<Sum> EliminateFirstTerm(const Sum& sum, const Sum& other) {
  if (other.terms.empty()) return std::nullopt;
  const Term& term = other.terms.front();
  const auto same = std::find_if(sum.terms.begin(), sum.terms.end(),
                                 [&](const Term& t) { return t.factors == term.factors; });
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  if (same == sum.terms.end() || (same->coefficient > 0) != (term.coefficient > 0) ||
      same->coefficient == kLowest || term.coefficient == kLowest) {
    return std::nullopt;
  }
  const int64_t shared = std::gcd(same->coefficient, term.coefficient);
  Sum less;
  if (!AddScaled(less, sum, std::abs(term.coefficient / shared)) ||
      !AddScaled(less, other, -std::abs(same->coefficient / shared))) {
    return std::nullopt;
  }
  return less;
}

int64_t CoefficientGcd(const Sum& sum) {
  int64_t gcd = 0;
  for (const Term& term : sum.terms) {
    if (term.coefficient == std::numeric_limits<int64_t>::min()) return 1;
    gcd = std::gcd(gcd, term.coefficient);
  }
  return gcd;
}

PrimRef ToExpr(ir::Context& context, const Sum& sum, ir::DType dtype) {
  if (sum.is_constant()) return context.Int(sum.constant, dtype);
  const auto magnitude = [&](const Term& term, int64_t coefficient) {
    const PrimRef product = Product(context, term.factors);
    return coefficient == 1
               ? product
               : context.Make(BinaryOp::kMul, product, context.Int(coefficient, dtype));
  };
  // Starts with a positive term for readability: n - 1, 4 - n.
  const auto positive = std::find_if(sum.terms.begin(), sum.terms.end(),
                                     [](const Term& t) { return t.coefficient > 0; });
  PrimRef result = nullptr;
  const Term* head = nullptr;
  bool constant_used = false;
  if (positive != sum.terms.end()) {
    head = &*positive;
    result = magnitude(*head, head->coefficient);
  } else if (sum.constant > 0) {
    result = context.Int(sum.constant, dtype);
    constant_used = true;
  } else {
    head = &sum.terms.front();
    result = magnitude(*head, head->coefficient);
  }
  for (const Term& term : sum.terms) {
    if (&term == head) continue;
    const bool minus =
        term.coefficient < 0 && term.coefficient != std::numeric_limits<int64_t>::min();
    result = context.Make(minus ? BinaryOp::kSub : BinaryOp::kAdd, result,
                          magnitude(term, minus ? -term.coefficient : term.coefficient));
  }
  if (constant_used || sum.constant == 0) return result;
  const bool minus = sum.constant < 0 && sum.constant != std::numeric_limits<int64_t>::min();
  return context.Make(minus ? BinaryOp::kSub : BinaryOp::kAdd, result,
                      context.Int(minus ? -sum.constant : sum.constant, dtype));
}

}  // namespace lathe::analysis
