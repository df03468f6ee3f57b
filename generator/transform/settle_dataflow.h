// Which variables of dataflow blocks leave them.
#ifndef LATHE_TRANSFORM_SETTLE_DATAFLOW_H_
#define LATHE_TRANSFORM_SETTLE_DATAFLOW_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Makes a variable that a dataflow block binds a dataflow variable when it is only used there, and
// not by a function inside; any other an ordinary one.
void SettleDataflow(ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_SETTLE_DATAFLOW_H_
