// Unifies dimensions of two tensors that are broadcast together. A slice of the first 512 of n
// elements has min(n, 512) of them; it broadcasts with n elements only if both sizes are n.
#ifndef LATHE_READER_ONNX_UNIFY_DIMS_H_
#define LATHE_READER_ONNX_UNIFY_DIMS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Replaces min(n, k), with k of at least 2, by n if the corresponding dimension of the other tensor
// is n. Also unifies two variables that are both at least 2. A match_cast checks the equality at
// run time.
void UnifyDims(NodeCall& n, Operand& a, Operand& b);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIFY_DIMS_H_
