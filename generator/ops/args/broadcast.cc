#include "generator/ops/args/broadcast.h"

#include <algorithm>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

using ir::Tri;

std::vector<PrimRef> BatchOf(const std::vector<PrimRef>& dims) {
  if (dims.size() < 2) return {};
  return {dims.begin(), dims.end() - 2};
}

absl::StatusOr<std::optional<std::vector<PrimRef>>> BroadcastDims(InferContext& c, const Call& call,
                                                                  int first,
                                                                  const std::vector<PrimRef>& a,
                                                                  int second,
                                                                  const std::vector<PrimRef>& b) {
  const std::vector<PrimRef>& longer = a.size() >= b.size() ? a : b;
  std::vector<PrimRef> dims = longer;
  bool known = true;
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    PrimRef x = a[a.size() - i];
    PrimRef y = b[b.size() - i];
    PrimRef& dim = dims[dims.size() - i];
    if (IsOne(x)) {
      dim = y;
    } else if (IsOne(y) || c.ProveEqual(x, y) == Tri::kYes) {
      dim = x;
    } else if (AsInt(x) != nullptr && AsInt(y) != nullptr) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, first) << " and " << DescribeArg(c, call, second)
             << " do not broadcast: dimension " << a.size() - i << " of the first is "
             << ToString(x) << ", dimension " << b.size() - i << " of the second is "
             << ToString(y);
    } else {
      known = false;
    }
  }
  if (!known) return std::optional<std::vector<PrimRef>>();
  return std::optional<std::vector<PrimRef>>(std::move(dims));
}

absl::StatusOr<BroadcastShape> Broadcast(InferContext& c, const Call& call, int first,
                                         const TensorInfo& a, int second, const TensorInfo& b) {
  BroadcastShape result;
  if (a.ndim != ir::kUnknownRank && b.ndim != ir::kUnknownRank) {
    result.ndim = std::max(a.ndim, b.ndim);
  }
  if (a.dims() != nullptr && b.dims() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(std::optional<std::vector<PrimRef>> dims,
                           BroadcastDims(c, call, first, *a.dims(), second, *b.dims()));
    if (dims.has_value()) result.shape = *std::move(dims);
  } else if (a.shape_var() != nullptr && b.shape_var() != nullptr &&
             *a.shape_var() == *b.shape_var()) {
    result.shape = a.shape;
  }
  return result;
}

absl::StatusOr<ir::VDeviceRef> SameVDevice(InferContext& c, const Call& call,
                                           const std::vector<const TensorInfo*>& tensors) {
  ir::VDeviceRef device = nullptr;
  for (const TensorInfo* tensor : tensors) {
    if (tensor->vdevice == nullptr || tensor->vdevice == device) continue;
    if (device != nullptr) {
      return c.Error("vdevice-mismatch") << "the arguments of " << SurfaceName(call)
                                         << " are on different devices: " << ToString(*device)
                                         << " and " << ToString(*tensor->vdevice);
    }
    device = tensor->vdevice;
  }
  return device;
}

absl::StatusOr<ir::DType> SameDType(InferContext& c, const Call& call,
                                    const std::vector<const TensorInfo*>& tensors) {
  ir::DType dtype;
  bool known = true;
  for (const TensorInfo* tensor : tensors) {
    if (tensor->dtype.is_void()) {
      known = false;
    } else if (dtype.is_void()) {
      dtype = tensor->dtype;
    } else if (tensor->dtype != dtype) {
      return c.Error("op-argument-dtype")
             << "the arguments of " << SurfaceName(call) << " must have equal dtypes, got "
             << ToString(dtype) << " and " << ToString(tensor->dtype);
    }
  }
  return known ? dtype : ir::DType::Void();
}

}  // namespace lathe::ops
