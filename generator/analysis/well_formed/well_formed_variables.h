// Checks the scopes of Relax variables: well-formedness rules 1, 2, 3 and 11.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Text readers report these at name lookup; this check covers Modules of any origin. The codes are
// the same, except for the use of a variable that is bound nowhere or only in another scope: the
// Relax text reader reports var-not-bound-once, this check var-before-binding.
void CheckVariables(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_
