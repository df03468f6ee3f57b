// Checks the scopes of shape variables: well-formedness rules 4, 5, 6, 14, 15 and 16.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_SHAPE_VARS_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_SHAPE_VARS_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Reports each use of an unbound variable once: by rule 5 in expressions and casts, by rules 14 to
// 16 (for tensors, shapes and scalars) in other annotations, by rule 6 in the parameters and by
// rule 4 in the result of a function, including those of an R.Callable.
void CheckShapeVars(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_SHAPE_VARS_H_
