// Decides which calls are pure and reports impure calls where they are not allowed.
#ifndef LATHE_ANALYSIS_DERIVE_PURITY_H_
#define LATHE_ANALYSIS_DERIVE_PURITY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Returns whether calls of a value of type `callee` are pure. A packed function is impure whatever
// it declares; a closure declares its purity. Returns true if the type is not that of a function:
// DeriveCall() reports such a call as not-a-function.
bool IsPureCallee(ir::StructInfoRef callee);

// Reports impure-call if `call` is impure and is inside a dataflow block, or in a pure function
// without relax.force_pure. `pure` is whether the callee is pure: IsPureCallee(), or Op::pure of an
// operator. These are rules 14.1.2, 14.2.2.1 and 14.2.3 of the Relax specification for derivation.
void CheckPurity(Derivation& d, const ir::Call& call, bool pure, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_PURITY_H_
