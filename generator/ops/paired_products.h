// Defines the operations of ir/paired_products.h in TIR: the interpreter runs the definition, and
// printers call the operation.
#ifndef LATHE_OPS_PAIRED_PRODUCTS_H_
#define LATHE_OPS_PAIRED_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

// Returns the loops that compute what `call` does. `call` is one of these operations.
ir::StmtRef PairedDefinition(ir::Context& context, const ir::Intrinsic& call);

// Replaces the operations of `func` by their definitions.
ir::PrimFunc WithPairedDefinitions(ir::Context& context, ir::PrimFunc func);

}  // namespace lathe::ops

#endif  // LATHE_OPS_PAIRED_PRODUCTS_H_
