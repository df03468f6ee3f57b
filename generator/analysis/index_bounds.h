// Accesses of buffers that are out of bounds whenever their PrimFunc runs: A[4] of four elements,
// A[i + 1] in a loop over all four.
#ifndef LATHE_ANALYSIS_INDEX_BOUNDS_H_
#define LATHE_ANALYSIS_INDEX_BOUNDS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Looks only where nothing keeps the access from being made: not below a condition, an assertion or
// a loop that may run no time, and not at all in a function that a statement may leave early.
void CheckIndexBounds(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_INDEX_BOUNDS_H_
