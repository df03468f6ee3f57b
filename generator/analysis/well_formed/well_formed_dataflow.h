// Reports control flow in dataflow blocks: well-formedness rule 7.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DATAFLOW_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DATAFLOW_H_

#include "generator/analysis/call_graph.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Reports Ifs and recursive calls.
void CheckDataflow(const ir::Module& module, const CallGraph& graph, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DATAFLOW_H_
