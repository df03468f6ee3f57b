// Rewrites integer expressions into canonical sums: the engine of simplify, bounds and prove. One
// object serves queries under the same assumptions and caches results, so shared subexpressions are
// rewritten once.
#ifndef LATHE_ANALYSIS_ARITHMETIC_ARITHMETIC_H_
#define LATHE_ANALYSIS_ARITHMETIC_ARITHMETIC_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/arithmetic/canonical_sum.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

class Arithmetic {
 public:
  // kReading keeps n % 4 as it is. kProving rewrites it to n - n // 4 * 4 and gives divisions a
  // single normal form, so that more sums compare equal.
  enum class Goal { kReading, kProving };

  Arithmetic(ir::Context& context, const Assumptions& known, Goal goal)
      : context_(context), known_(known), goal_(goal) {}

  // `e` is a scalar signed integer.
  Sum AsSum(ir::PrimRef e);
  // Returns true if cached results depend on the variable.
  bool HasSumOf(ir::PrimRef var) const { return sums_.contains(var); }
  Interval BoundsOf(const Sum& sum);
  ir::PrimRef Simplify(ir::PrimRef e);

 private:
  // arithmetic.cc
  Sum BuildSum(ir::PrimRef e);
  Sum BinarySum(ir::PrimRef e, const ir::Binary& n);
  Sum WideningCast(ir::PrimRef e, ir::PrimRef narrow);
  Interval BoundsOfAtom(ir::PrimRef atom);
  ir::PrimRef Rebuild(ir::PrimRef e);
  ir::PrimRef SimplifyCondition(ir::PrimRef e);
  ir::PrimRef SimplifyComparison(ir::PrimRef e, const ir::Binary& n);
  ir::PrimRef Expr(const Sum& sum, ir::DType dtype) { return ToExpr(context_, sum, dtype); }

  // arithmetic_division.cc
  Sum FloorDivSum(Sum numerator, Sum divisor, ir::DType dtype);
  Sum FloorModSum(Sum numerator, const Sum& divisor, ir::DType dtype);
  Sum TruncatedSum(ir::BinaryOp op, const Sum& numerator, const Sum& divisor, ir::DType dtype);
  bool CancelCommonFactors(Sum& numerator, Sum& divisor);

  // arithmetic_min_max.cc
  Sum MinMaxSum(ir::BinaryOp op, ir::PrimRef e);

  ir::Context& context_;
  const Assumptions& known_;
  Goal goal_;
  int depth_ = 0;
  absl::flat_hash_map<ir::PrimRef, Sum> sums_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> simplified_;
};

// Deeper expressions are treated as atoms.
inline constexpr int kMaxArithmeticDepth = 200;

inline bool IsSignedScalar(ir::DType dtype) { return dtype.is_int() && dtype.is_scalar(); }

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_ARITHMETIC_H_
