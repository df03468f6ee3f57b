// Derives the info of a call: derivation rule 14.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Returns the info of the result. Reports calls of values that are not functions, wrong arguments,
// and impure calls where they are not allowed. An argument Si is accepted for a parameter Pi if Si
// <: Pi. (Rule 14.2.6 states the reverse; the prose on subtyping, and its example of a function
// argument, decide.)
Derived DeriveCall(Derivation& d, const ir::Call& call, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_CALL_H_
