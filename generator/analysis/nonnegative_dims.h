// Checks shapes matched with R.Shape(ndim=...) for negative dimensions: the one check of such a
// match_cast that subtyping does not express.
#ifndef LATHE_ANALYSIS_NONNEGATIVE_DIMS_H_
#define LATHE_ANALYSIS_NONNEGATIVE_DIMS_H_

#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Returns whether all dimensions of the shapes in `known`, including inside tuples, are proved not
// negative where `wanted` specifies a rank only.
bool HasNonNegativeDims(ir::Context& context, ir::StructInfoRef known, ir::StructInfoRef wanted);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_NONNEGATIVE_DIMS_H_
