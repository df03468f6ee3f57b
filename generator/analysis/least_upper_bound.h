// Computes the most specific common supertype of two infos: the info where two paths join.
//
//   R.Tensor((n, 4), "float32"), R.Tensor((n, 5), "float32")  ->  R.Tensor("float32", ndim=2)
#ifndef LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_
#define LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// Implements the specification's unify_struct_info, corrected so that the result is an upper bound
// of both, as its prose requires (docs/language-decisions.md lists the corrections).
ir::StructInfoRef LeastUpperBound(const Facts& facts, ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_
