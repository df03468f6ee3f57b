// Verifies a PrimFunc by itself: variables and buffers are used in scope, each variable is defined
// once, and a block with axes does not use variables of surrounding loops.
#ifndef LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_
#define LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_

#include "generator/ir/module.h"
#include "generator/ir/tir.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// `loc` is the function's location, used where a statement has none.
void VerifyPrimFunc(const ir::PrimFunc& func, const Location& loc, Diagnostics& diags);

// Verifies all PrimFuncs of the module.
void VerifyPrimFuncs(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_VERIFY_PRIM_FUNC_H_
