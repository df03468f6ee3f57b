// Checks functions and the module as a whole: well-formedness rules 8, 12, 13, 18 and 21.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_FUNCTIONS_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_FUNCTIONS_H_

#include "generator/analysis/call_graph.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

void CheckFunctions(const ir::Module& module, const CallGraph& graph, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_FUNCTIONS_H_
