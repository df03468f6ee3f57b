// Decides which variables of dataflow blocks are visible outside.
#ifndef LATHE_TRANSFORM_MARK_DATAFLOW_VARS_H_
#define LATHE_TRANSFORM_MARK_DATAFLOW_VARS_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// A variable bound in a dataflow block becomes a dataflow variable when it is only used in that
// block and not by a local function, else an ordinary variable.
void MarkDataflowVars(ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_MARK_DATAFLOW_VARS_H_
