// What a PrimFunc can break by itself: variables and buffers are used where they are defined, every
// variable is defined once, and a block with axes knows nothing else of the loops around it.
#ifndef LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_
#define LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_

#include "generator/ir/module.h"
#include "generator/ir/tir.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// `loc` is the function's, for what has no better place.
void VerifyPrimFunc(const ir::PrimFunc& func, const Location& loc, Diagnostics& diags);

// All PrimFuncs of the module.
void VerifyPrimFuncs(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_
