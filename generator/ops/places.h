// Tensors of integers that say where to read or to write in another: take, gather, scatter, put.
#ifndef LATHE_OPS_PLACES_H_
#define LATHE_OPS_PLACES_H_

#include "absl/status/status.h"
#include "generator/ops/operands.h"
#include "generator/ops/te.h"

namespace lathe::ops {

// An index, counted from the end when it is negative.
ir::PrimRef Wrapped(ScalarMath& m, ir::PrimRef index, ir::PrimRef extent);

// Argument 1 of `call` holds a place along `axis` for each of its elements: along the other axes
// its elements are those of argument 0, so that it cannot be longer there.
absl::Status NeedWithin(ir::InferContext& c, const ir::Call& call, const ir::TensorInfo& data,
                        const ir::TensorInfo& places, int axis);

// The two, parts of `call` that broadcast with each other.
absl::Status NeedBroadcast(ir::InferContext& c, const ir::Call& call, const ir::TensorInfo& a,
                           const ir::TensorInfo& b);

}  // namespace lathe::ops

#endif  // LATHE_OPS_PLACES_H_
