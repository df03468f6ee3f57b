// Decides which calls are pure and reports impure calls where they are not allowed.
#ifndef LATHE_ANALYSIS_DERIVE_PURITY_H_
#define LATHE_ANALYSIS_DERIVE_PURITY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Packed functions count as impure whatever they declare; a closure declares its purity; a called
// object has been reported already.
bool IsPureCallee(ir::StructInfoRef callee);

// Derivation rules 14.1.2, 14.2.2.1 and 14.2.3: reports `call` if it is impure and is inside a
// dataflow block, or in a pure function without relax.force_pure.
void CheckPurity(Derivation& d, const ir::Call& call, bool pure, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_PURITY_H_
