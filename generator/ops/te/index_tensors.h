// Handles index tensors, whose elements are positions in another tensor: take, gather, scatter,
// put.
#ifndef LATHE_OPS_TE_INDEX_TENSORS_H_
#define LATHE_OPS_TE_INDEX_TENSORS_H_

#include "absl/status/status.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"

namespace lathe::ops {

// Wraps a negative index, which counts from the end.
ir::PrimRef WrapIndex(ScalarMath& m, ir::PrimRef index, ir::PrimRef extent);

// Checks the shape of an index tensor, argument 1 of `call`: along each axis other than `axis` it
// must not be longer than argument 0.
absl::Status NeedIndexShape(ir::InferContext& c, const ir::Call& call, const ir::TensorInfo& data,
                            const ir::TensorInfo& places, int axis);

// Checks that `a` and `b`, parts of `call`, broadcast with each other.
absl::Status NeedBroadcast(ir::InferContext& c, const ir::Call& call, const ir::TensorInfo& a,
                           const ir::TensorInfo& b);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_INDEX_TENSORS_H_
