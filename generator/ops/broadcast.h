// How shapes, dtypes and devices of several arguments make one.
#ifndef LATHE_OPS_BROADCAST_H_
#define LATHE_OPS_BROADCAST_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// NumPy's broadcasting of two shapes: nothing when it depends on values that are not known; an
// error when it cannot be. `first` and `second` are the positions of the arguments, for messages.
absl::StatusOr<std::optional<std::vector<ir::PrimRef>>> BroadcastDims(
    ir::InferContext& c, const ir::Call& call, int first, const std::vector<ir::PrimRef>& a,
    int second, const std::vector<ir::PrimRef>& b);

// Shape and rank of the broadcast of tensors a and b, what is known of it.
struct BroadcastShape {
  ir::TensorInfo::ShapeOrVar shape;
  int ndim = ir::kUnknownRank;
};
absl::StatusOr<BroadcastShape> Broadcast(ir::InferContext& c, const ir::Call& call, int first,
                                         const ir::TensorInfo& a, int second,
                                         const ir::TensorInfo& b);

// What a tensor has besides the rows and columns of a product.
std::vector<ir::PrimRef> BatchOf(const std::vector<ir::PrimRef>& dims);

// The device of the result: that of any argument that says one. Two that differ are an error.
absl::StatusOr<ir::VDeviceRef> SameVDevice(ir::InferContext& c, const ir::Call& call,
                                           const std::vector<const ir::TensorInfo*>& tensors);

// The dtype all tensors share: Void when one is not known; an error when two differ.
absl::StatusOr<ir::DType> SameDType(ir::InferContext& c, const ir::Call& call,
                                    const std::vector<const ir::TensorInfo*>& tensors);

}  // namespace lathe::ops

#endif  // LATHE_OPS_BROADCAST_H_
