// Derives the info of an operator call: derivation rule 14.1.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_OP_CALL_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_OP_CALL_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Returns the result of the operator's inference. Returns a guess if the operator has none, or if
// inference reports an error.
Derived DeriveOpCall(Derivation& d, const ir::Call& call, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_OP_CALL_H_
