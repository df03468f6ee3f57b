// Unifies dimensions of two tensors that are broadcast with each other. The first 512 of n elements
// are min(n, 512) elements. They broadcast with n elements only if n is at most 512, and then both
// dimensions are n.
#ifndef LATHE_READER_ONNX_UNIFY_DIMS_H_
#define LATHE_READER_ONNX_UNIFY_DIMS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Makes corresponding dimensions equal of which one is min(n, k), with k of at least 2, or max(0,
// n) if the other is n; that are both at least 2; or of which one is at least 2 or computed from
// others, and the other has the name by which the model declares the dimension of the result. The
// operand that changes becomes an R.match_cast, which checks the equality at run time.
void UnifyDims(NodeCall& n, Operand& a, Operand& b);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIFY_DIMS_H_
