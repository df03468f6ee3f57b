// Which calls have side effects, and where they may not stand.
#ifndef LATHE_ANALYSIS_DERIVE_PURITY_H_
#define LATHE_ANALYSIS_DERIVE_PURITY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Packed functions count as impure whatever they say; a closure says it; an object that is called
// is an error already.
bool IsPureCallee(ir::StructInfoRef callee);

// Derivation rules 14.1.2, 14.2.2.1 and 14.2.3: reports `call` when it is impure and stands inside
// a dataflow block, or in a pure function without relax.force_pure.
void CheckPurity(Derivation& d, const ir::Call& call, bool pure, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_PURITY_H_
