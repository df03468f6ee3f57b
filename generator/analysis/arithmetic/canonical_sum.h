// Represents integer expressions as canonical sums of products: 3*n*m + 2*n - 1.
//
// A factor is an atom: a variable, or an expression that is neither a sum nor a product (n // 4,
// min(n, m)). Two expressions with equal sums are equal for all values of their variables, provided
// that no arithmetic overflows, which shape and index arithmetic is assumed never to do.
#ifndef LATHE_ANALYSIS_ARITHMETIC_CANONICAL_SUM_H_
#define LATHE_ANALYSIS_ARITHMETIC_CANONICAL_SUM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

struct Term {
  std::vector<ir::PrimRef> factors;  // in canonical order; repeated for powers
  int64_t coefficient = 0;           // never zero inside a Sum
};

struct Sum {
  std::vector<Term> terms;  // sorted: higher degree first, then by factors; no duplicates
  int64_t constant = 0;

  bool is_constant() const { return terms.empty(); }
};

// Larger sums are not expanded: that would only cost time.
inline constexpr size_t kMaxTerms = 128;
inline constexpr size_t kMaxFactors = 16;

Sum ConstantSum(int64_t value);
Sum AtomSum(ir::PrimRef atom);

// These return false, and leave the result unspecified, when a number does not fit in 64 bits or
// the sum exceeds the limits above.
bool AddScaled(Sum& sum, const Sum& other, int64_t scale);
bool Multiply(const Sum& a, const Sum& b, Sum& product);
bool Equal(const Sum& a, const Sum& b);

// Splits off the exact multiples of `divisor`: sum = quotient * divisor + remaining sum. Returns
// false on overflow, and for the coefficients 0 and -1. The divisor is a single term or a constant.
bool SplitMultiples(Sum& sum, const Sum& divisor, Sum& quotient);

// Returns the sum whose product with `divisor` is `sum`: of 8*n*m + 8*m*k and n + k, 8*m. Returns
// nullopt if there is none or `divisor` is a constant.
std::optional<Sum> ExactQuotient(const Sum& sum, const Sum& divisor);

// Returns a positive multiple of `sum` minus a positive multiple of `other`, without the first term
// of `other`: from 16*n*n - 8 and 2*n*n - 3, the constant 16. Returns nothing where `sum` has no
// such term of equal sign.
std::optional<Sum> EliminateFirstTerm(const Sum& sum, const Sum& other);

// Returns the greatest common divisor of the coefficients, without the constant; 0 if there are no
// terms.
int64_t CoefficientGcd(const Sum& sum);

ir::PrimRef ToExpr(ir::Context& context, const Sum& sum, ir::DType dtype);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_CANONICAL_SUM_H_
