// Derives the infos of bodies and of If: derivation rules 9 and 10.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Derives the infos of all bindings in `body` and returns that of its result, without the variables
// that are bound in it. Reports limit-nesting and returns a guess if bodies are nested too deep.
Derived DeriveBody(Derivation& d, ir::Body& body);

// Derives the infos of both branches and returns their least upper bound. Reports
// condition-not-bool unless the condition is a bool scalar or a bool tensor without dimensions.
Derived DeriveIf(Derivation& d, ir::If& branch, const Location& loc);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_BODY_H_
