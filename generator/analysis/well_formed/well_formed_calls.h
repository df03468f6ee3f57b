// Checks calls of operators with a normal form of their own: well-formedness rule 23.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_CALLS_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_CALLS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Lets each operator normalise a copy of the call and reports calls that change. Needs infos.
void CheckCallsNormal(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_CALLS_H_
