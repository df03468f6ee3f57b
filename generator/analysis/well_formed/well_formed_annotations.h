// Checks structural information by itself: well-formedness rules 10, 17, 19, 20, 22 and 24, and the
// shapes of rule 14.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_ANNOTATIONS_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_ANNOTATIONS_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

void CheckAnnotations(const ir::Module& module, Diagnostics& diags);

// Rule 14 and the invariants of TensorStructInfo: a variable used as the shape of a tensor is a
// shape of the tensor's rank. Needs the infos of the variables.
void CheckShapesOfTensors(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_ANNOTATIONS_H_
