// Defines the operations of ir/helium_products.h.
#ifndef LATHE_OPS_DEFINITIONS_HELIUM_DEFINITIONS_H_
#define LATHE_OPS_DEFINITIONS_HELIUM_DEFINITIONS_H_

#include "generator/ops/definitions/product_loops.h"

namespace lathe::ops {

// Returns the loops of a call of kHeliumProducts or kHeliumDepthwise, with the arguments `a`.
ir::StmtRef HeliumProducts(OperationArguments& a);
ir::StmtRef HeliumDepthwise(OperationArguments& a);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DEFINITIONS_HELIUM_DEFINITIONS_H_
