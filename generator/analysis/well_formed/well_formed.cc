#include "generator/analysis/well_formed/well_formed.h"

#include "generator/analysis/call_graph.h"
#include "generator/analysis/well_formed/well_formed_annotations.h"
#include "generator/analysis/well_formed/well_formed_calls.h"
#include "generator/analysis/well_formed/well_formed_dataflow.h"
#include "generator/analysis/well_formed/well_formed_dtypes.h"
#include "generator/analysis/well_formed/well_formed_functions.h"
#include "generator/analysis/well_formed/well_formed_shape_vars.h"
#include "generator/analysis/well_formed/well_formed_state.h"
#include "generator/analysis/well_formed/well_formed_variables.h"

namespace lathe::analysis {

void CheckWellFormed(ir::Context&, const ir::Module& module, Diagnostics& diags) {
  const CallGraph graph(module);
  CheckFunctions(module, graph, diags);
  CheckVariables(module, diags);
  CheckShapeVars(module, diags);
  CheckAnnotations(module, diags);
  CheckDTypesOfCalls(module, diags);
  CheckDataflow(module, graph, diags);
}

void CheckWellFormedWithInfos(ir::Context& context, const ir::Module& module, Diagnostics& diags) {
  CheckCallsNormal(context, module, diags);
  CheckShapesOfTensors(module, diags);
  CheckState(module, diags);
}

}  // namespace lathe::analysis
