// The info of a body, and of the If that chooses between two: derivation rules 9 and 10.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

Derived DeriveBody(Derivation& d, ir::Body& body);

// A condition has to be known to be a bool: a tensor without dimensions, or a scalar.
Derived DeriveIf(Derivation& d, ir::If& branch, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
