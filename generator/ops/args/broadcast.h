// Combines the shapes, dtypes and devices of several arguments.
#ifndef LATHE_OPS_ARGS_BROADCAST_H_
#define LATHE_OPS_ARGS_BROADCAST_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Broadcasts two shapes by NumPy's rules. Returns nullopt if the result depends on unknown values;
// fails when the shapes are incompatible. `first` and `second` are the positions of the arguments,
// for messages.
absl::StatusOr<std::optional<std::vector<ir::PrimRef>>> BroadcastDims(
    ir::InferContext& c, const ir::Call& call, int first, const std::vector<ir::PrimRef>& a,
    int second, const std::vector<ir::PrimRef>& b);

// The known shape and rank of the broadcast of tensors a and b.
struct BroadcastShape {
  ir::TensorInfo::ShapeOrVar shape;
  int ndim = ir::kUnknownRank;
};
absl::StatusOr<BroadcastShape> Broadcast(ir::InferContext& c, const ir::Call& call, int first,
                                         const ir::TensorInfo& a, int second,
                                         const ir::TensorInfo& b);

// Returns the batch dimensions: all but the rows and columns of a product.
std::vector<ir::PrimRef> BatchOf(const std::vector<ir::PrimRef>& dims);

// Returns the device of the result: that of any argument with a device. Fails when two differ.
absl::StatusOr<ir::VDeviceRef> SameVDevice(ir::InferContext& c, const ir::Call& call,
                                           const std::vector<const ir::TensorInfo*>& tensors);

// Returns the common dtype of all tensors: Void when one is unknown. Fails when two differ.
absl::StatusOr<ir::DType> SameDType(ir::InferContext& c, const ir::Call& call,
                                    const std::vector<const ir::TensorInfo*>& tensors);

}  // namespace lathe::ops

#endif  // LATHE_OPS_ARGS_BROADCAST_H_
