// Defines the operations of ir/unpack_weights.h.
#ifndef LATHE_OPS_DEFINITIONS_UNPACK_DEFINITION_H_
#define LATHE_OPS_DEFINITIONS_UNPACK_DEFINITION_H_

#include "generator/ops/definitions/product_loops.h"

namespace lathe::ops {

// Return the loops of a call with the arguments `a`.
ir::StmtRef UnpackWeights(OperationArguments& a);
ir::StmtRef JoinColumns(OperationArguments& a);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DEFINITIONS_UNPACK_DEFINITION_H_
