// Defines the operations of ir/defined_operations.h in TIR: the interpreter runs the definition,
// and printers call the operation.
#ifndef LATHE_OPS_DEFINITIONS_OPERATION_DEFINITIONS_H_
#define LATHE_OPS_DEFINITIONS_OPERATION_DEFINITIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

// Returns the loops that compute what `call` does. `call` is one of these operations.
ir::StmtRef DefinitionOf(ir::Context& context, const ir::Intrinsic& call);

// Replaces the operations of `func` by their definitions.
ir::PrimFunc WithDefinitions(ir::Context& context, ir::PrimFunc func);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DEFINITIONS_OPERATION_DEFINITIONS_H_
