// What a binding gives its variable: derivation rules 11 and 12.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Binds the variable to its annotation, when it has one that its value may have, else to the info
// of its value.
//
// Rule 11.2.3 asks check_compatibility(Sv, Se), which would refuse x: R.Object = ... for any value
// but an object; the value Se is what has to be accepted where the annotation Sv is expected. An
// annotation that says more than is known of the value is accepted with a warning, as the rule
// says; the strong typing of the survey would have a match_cast there, which the warning offers.
void DeriveBinding(Derivation& d, ir::Binding& binding);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_BINDING_H_
