// Checks the specification's 24 well-formedness rules, as far as a Module can violate them; readers
// report what a Module cannot represent. Each rule has its own code and page in docs/diagnostics.
//
//   1, 2, 3, 11       well_formed_variables     where Relax variables may be used
//   4, 5, 6, 14-16    well_formed_shape_vars    where shape variables may be used
//   10, 14-17, 19, 20, 22, 24                   well_formed_annotations   what an info may say
//   20                well_formed_dtypes        of calls too
//   7                 well_formed_dataflow      control flow
//   8, 12, 13, 18, 21 well_formed_functions     functions and the module
//   9, 23             readers; well_formed_calls, once infos are derived
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// The rules that need no derived infos. Purity of calls is checked by derivation.
void CheckWellFormed(ir::Context&, const ir::Module& module, Diagnostics& diags);

// The rules that need the infos of DeriveStructInfo.
void CheckWellFormedWithInfos(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_H_
