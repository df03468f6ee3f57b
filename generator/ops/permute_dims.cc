// Implements permute_dims, flip, repeat, tile.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
Result InferPermuteDims(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  int ndim = x->ndim;
  if (!IsNone(call, "axes")) {
    LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, NeedInts(c, call, "axes"));
    if (ndim == ir::kUnknownRank) ndim = static_cast<int>(axes.size());
    if (static_cast<int>(axes.size()) != ndim) {
      return c.Error("op-attribute") << "'axes' of " << SurfaceName(call) << " holds "
                                     << CountOf(axes.size(), "axis", "axes")
                                     << ", but the tensor has " << CountOf(ndim, "dimension");
    }
    LATHE_RETURN_IF_ERROR(NormalAxes(c, call, "axes", axes, ndim).status());
  }
  if (ndim == ir::kUnknownRank) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  const std::vector<int> axes = PermutedAxes(call, ndim);
  bool same = true;
  for (int i = 0; i < ndim; ++i) same &= axes[i] == i;
  if (same && x->ndim != ir::kUnknownRank) return c.InfoOf(call.args[0]);
  if (x->dims() == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  Dims dims;
  for (int axis : axes) dims.push_back((*x->dims())[axis]);
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputePermuteDims(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const std::vector<int> axes = PermutedAxes(call, static_cast<int>(x->shape.size()));
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from(at.size());
    for (size_t i = 0; i < at.size(); ++i) from[axes[i]] = at[i];
    return te.At(x, from);
  })});
}

Result InferFlip(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x->ndim != ir::kUnknownRank) {
    LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", axis, x->ndim).status());
  }
  return c.InfoOf(call.args[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeFlip(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    Indices from = at;
    from[axis] = te.math().Sub(te.math().Sub(x->shape[axis], te.math().Int(1)), at[axis]);
    return te.At(x, from);
  })});
}

// Repeats each element `repeats` times along an axis; without an axis, of the flat tensor.
Result InferRepeat(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t repeats, NeedInt(c, call, "repeats"));
  if (repeats < 0) {
    return c.Error("op-attribute")
           << "'repeats' of " << SurfaceName(call) << " must not be negative, got " << repeats;
  }
  const auto times = [&](PrimRef dim) {
    return c.Simplify(c.ir().Make(ir::BinaryOp::kMul, dim, c.ir().Int(repeats)));
  };
  if (IsNone(call, "axis")) {
    if (x->dims() == nullptr) return c.ir().Tensor(1, x->dtype, x->vdevice);
    return c.ir().Tensor(Dims{times(Product(c, *x->dims()))}, x->dtype, x->vdevice);
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  if (x->ndim == ir::kUnknownRank) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, x->ndim));
  if (repeats == 1) return c.InfoOf(call.args[0]);
  if (x->dims() == nullptr) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  Dims dims = *x->dims();
  dims[axis] = times(dims[axis]);
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeRepeat(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  ScalarMath& m = te.math();
  const PrimRef repeats = m.Int(IntAttr(call, "repeats"));
  const std::optional<int64_t> written = FindInt(call, "axis");
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    if (!written.has_value()) {
      return te.At(x, m.Unflatten(m.FloorDiv(at[0], repeats), x->shape));
    }
    const int axis = FromFront(*written, static_cast<int>(x->shape.size()));
    Indices from = at;
    from[axis] = m.FloorDiv(at[axis], repeats);
    return te.At(x, from);
  })});
}

// Repeats the whole tensor. The shorter of shape and `repeats` is padded with 1 in front.
Result InferTile(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> repeats, NeedInts(c, call, "repeats"));
  for (int64_t r : repeats) {
    if (r < 0) {
      return c.Error("op-attribute")
             << "'repeats' of " << SurfaceName(call) << " must not be negative, got " << r;
    }
  }
  if (x->ndim == ir::kUnknownRank) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  const int ndim = std::max(x->ndim, static_cast<int>(repeats.size()));
  if (x->dims() == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  Dims dims(ndim, c.ir().Int(1));
  std::copy_backward(x->dims()->begin(), x->dims()->end(), dims.end());
  for (size_t i = 1; i <= repeats.size(); ++i) {
    PrimRef& dim = dims[dims.size() - i];
    dim = c.Simplify(c.ir().Make(ir::BinaryOp::kMul, dim, c.ir().Int(repeats[repeats.size() - i])));
  }
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeTile(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from(at.end() - static_cast<std::ptrdiff_t>(x->shape.size()), at.end());
    for (size_t i = 0; i < from.size(); ++i) from[i] = te.math().FloorMod(from[i], x->shape[i]);
    return te.At(x, from);
  })});
}

}  // namespace lathe::ops
