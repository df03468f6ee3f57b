// Derives the infos of bodies and of If: derivation rules 9 and 10.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

Derived DeriveBody(Derivation& d, ir::Body& body);

// The condition must be a bool tensor without dimensions or a bool scalar.
Derived DeriveIf(Derivation& d, ir::If& branch, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
