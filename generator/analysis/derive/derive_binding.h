// Derives the info of a binding's variable: derivation rules 11 and 12.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Binds the variable to its annotation, or without one to the info of its value. Reports an
// annotation that is not compatible with the value.
//
// Rule 11.2.3 states check_compatibility(Sv, Se), which would reject x: R.Object = ... for any
// value but an object; this checks that the value Se is accepted where the annotation Sv is
// expected. An annotation more specific than the known info is accepted with a warning, as the rule
// states; the warning suggests an R.match_cast.
void DeriveBinding(Derivation& d, ir::Binding& binding);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_
