// Holds the ranges of variables that comparisons of expressions may assume.
#ifndef LATHE_ANALYSIS_ARITHMETIC_ASSUMPTIONS_H_
#define LATHE_ANALYSIS_ARITHMETIC_ASSUMPTIONS_H_

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

// By default every int64 variable that is not signed is a dimension, hence not negative. Declared
// bounds (tir_var_upper_bound, -D n=1..512, or a loop) narrow single variables.
class Assumptions {
 public:
  Assumptions() = default;
  // Assumes nothing about any variable.
  static Assumptions Nothing() {
    Assumptions a;
    a.dims_not_negative_ = false;
    return a;
  }

  void Bound(ir::PrimRef var, Interval range) { ranges_[var] = range; }

  Interval RangeOf(const ir::Context& context, ir::PrimRef var) const {
    if (const auto it = ranges_.find(var); it != ranges_.end()) return it->second;
    const bool dim =
        dims_not_negative_ && var->dtype() == ir::DType::Int(64) && !context.IsSigned(var);
    return dim ? Interval::AtLeast(0) : Interval();
  }

 private:
  bool dims_not_negative_ = true;
  absl::flat_hash_map<ir::PrimRef, Interval> ranges_;
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_ASSUMPTIONS_H_
