// Defines the operations of ir/paired_products.h and ir/quad_products.h.
#ifndef LATHE_OPS_DEFINITIONS_PAIRED_DEFINITIONS_H_
#define LATHE_OPS_DEFINITIONS_PAIRED_DEFINITIONS_H_

#include "generator/ops/definitions/product_loops.h"

namespace lathe::ops {

// Each function returns the loops of a call of the operation of this name, with one rounding or
// two, and the arguments `a`.
ir::StmtRef PairedProducts(OperationArguments& a);
ir::StmtRef PairedRow(OperationArguments& a);
ir::StmtRef PairedDepthwise(OperationArguments& a);
ir::StmtRef QuadDepthwise(OperationArguments& a);
ir::StmtRef QuadProducts(OperationArguments& a);
ir::StmtRef PaddedLines(OperationArguments& a);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DEFINITIONS_PAIRED_DEFINITIONS_H_
