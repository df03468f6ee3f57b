// Canonicalizes the GPU constructs of all dialects, so that the interpreter and lowering handle one
// form.
#ifndef LATHE_IR_DEVICE_CANONICALIZE_PRIM_FUNC_H_
#define LATHE_IR_DEVICE_CANONICALIZE_PRIM_FUNC_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Applies LowerPtxInstructions, LaunchesFromScopeIds and AddressNumberedBarriers.
PrimFunc CanonicalizePrimFunc(Context& context, const PrimFunc& func);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_CANONICALIZE_PRIM_FUNC_H_
