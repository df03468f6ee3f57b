// Reports buffer accesses that are out of bounds on every run of their PrimFunc: A[4] of four
// elements, A[i + 1] in a loop over all four.
#ifndef LATHE_ANALYSIS_INDEX_BOUNDS_H_
#define LATHE_ANALYSIS_INDEX_BOUNDS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Checks only accesses that are always executed: not inside conditions, assertions or loops that
// may have no iterations, and not in functions that a statement may leave early.
void CheckIndexBounds(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_INDEX_BOUNDS_H_
