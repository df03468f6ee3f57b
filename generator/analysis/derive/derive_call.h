// The info of a call: derivation rule 14.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// An argument Si is accepted for a parameter Pi when Si <: Pi. (Rule 14.2.6 writes it the other way
// round; the prose of subtyping, and its example of a function's argument, decide.)
Derived DeriveCall(Derivation& d, const ir::Call& call, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_
