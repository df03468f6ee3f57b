// The most specific info that two infos are both subtypes of: what is known where two paths meet.
//
//   R.Tensor((n, 4), "float32"), R.Tensor((n, 5), "float32")  ->  R.Tensor("float32", ndim=2)
#ifndef LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_
#define LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// unify_struct_info of the specification, with its slips mended so that the result is what the
// prose above it asks for, an upper bound of both (docs/language-decisions.md lists them).
ir::StructInfoRef LeastUpperBound(const Facts& facts, ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_LEAST_UPPER_BOUND_H_
