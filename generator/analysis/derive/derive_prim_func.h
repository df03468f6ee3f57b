// Derives the info of a PrimFunc: derivation rule 16.
//
//   def f(A: T.Buffer((n, 4), "float32"), k: T.int64)
//       ->  R.Callable((R.Tensor((n, 4), "float32"), R.Prim("int64")), R.Tuple(), False)
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_PRIM_FUNC_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_PRIM_FUNC_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Returns the FuncInfo of `f`. A bare pointer is an object: rule 16.1 makes it a scalar of dtype
// handle, which well-formedness rule 19 forbids. A function that returns a scalar has that scalar's
// info as its result, and is pure if IsPurePrimFunc; rule 16.2 does not cover such functions.
ir::StructInfoRef DerivePrimFunc(ir::Context& context, const ir::PrimFunc& f);

// Returns true if `f` only computes a scalar: it returns one, writes only memory that it allocates,
// and calls only functions without effects.
bool IsPurePrimFunc(const ir::PrimFunc& f);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_PRIM_FUNC_H_
