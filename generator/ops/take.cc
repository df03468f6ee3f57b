// Implements take, gather_elements, gather_nd, one_hot.
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/index_tensors.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

Result InferTake(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 1));
  TensorInfo indices;
  if (const auto* prim = c.InfoOf(call.args[1])->As<ir::PrimInfo>()) {
    indices.shape = Dims{};
    indices.ndim = 0;
    indices.dtype = prim->dtype;
  } else {
    LATHE_ASSIGN_OR_RETURN(const TensorInfo* tensor, TensorArg(c, call, 1));
    indices = *tensor;
  }
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, indices));
  LATHE_RETURN_IF_ERROR(NeedOneOf(c, call, "mode", {"fast", "wrap", "clip", "nan"}).status());
  int axis = 0;
  if (IsNone(call, "axis")) {
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 1));
  } else {
    LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
    if (x->ndim != ir::kUnknownRank) {
      LATHE_ASSIGN_OR_RETURN(axis, NormalAxis(c, call, "axis", written, x->ndim));
    }
  }
  if (x->ndim == ir::kUnknownRank || indices.ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  }
  if (x->dims() == nullptr || indices.dims() == nullptr) {
    return c.ir().Tensor(x->ndim + indices.ndim - 1, x->dtype, x->vdevice);
  }
  Dims dims = *x->dims();
  dims.erase(dims.begin() + axis);
  dims.insert(dims.begin() + axis, indices.dims()->begin(), indices.dims()->end());
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeTake(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), indices = te.Input(1);
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(x->shape.size()));
  const std::ptrdiff_t rank =
      indices == nullptr ? 0 : static_cast<std::ptrdiff_t>(indices->shape.size());
  const std::string mode = FindString(call, "mode");
  PrimRef extent = x->shape[axis];
  PrimRef scalar = nullptr;
  if (indices == nullptr) {
    LATHE_ASSIGN_OR_RETURN(scalar, PrimValueOf(c, call, 1));
  }
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    const Indices chosen(at.begin() + axis, at.begin() + axis + rank);
    PrimRef index = m.Cast(scalar == nullptr ? te.At(indices, chosen) : scalar, DType::Int(64));
    const PrimRef written = index;
    if (mode == "wrap") index = m.FloorMod(index, extent);
    if (mode == "clip") index = m.Min(m.Max(index, m.Int(0)), m.Sub(extent, m.Int(1)));
    Indices from(at.begin(), at.begin() + axis);
    from.push_back(index);
    from.insert(from.end(), at.begin() + axis + rank, at.end());
    const PrimRef value = te.At(x, from);
    if (mode != "nan" || !x->dtype.is_floating()) return value;
    const PrimRef nan = m.Const(std::numeric_limits<double>::quiet_NaN(), x->dtype);
    return m.IfThenElse(m.InRange(written, m.Int(0), extent), value, nan);
  })});
}

// out[i, j] = x[indices[i, j], j] along axis 0.
Result InferGatherElements(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* indices, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, *indices));
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x->ndim == ir::kUnknownRank || indices->ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  }
  LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", axis, x->ndim).status());
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *indices, x->ndim));
  LATHE_RETURN_IF_ERROR(NeedIndexShape(c, call, *x, *indices, FromFront(axis, x->ndim)));
  return TensorOf(c.ir(), indices->shape, indices->ndim, x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeGatherElements(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0), indices = te.Input(1);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from = at;
    from[axis] = WrapIndex(te.math(), te.At(indices, at), x->shape[axis]);
    return te.At(x, from);
  })});
}

// The last axis of the indices is a position in x, after `batch_dims` axes that both share.
Result InferGatherNd(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* indices, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, *indices));
  LATHE_ASSIGN_OR_RETURN(const int64_t batch, NeedInt(c, call, "batch_dims"));
  StructInfoRef unknown = c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  if (x->ndim == ir::kUnknownRank || indices->ndim == ir::kUnknownRank) return unknown;
  if (batch < 0 || batch > x->ndim || batch >= indices->ndim) {
    return c.Error("op-attribute") << "'batch_dims' of " << SurfaceName(call) << " is " << batch
                                   << ", but the ranks of the tensors are " << x->ndim << " and "
                                   << CountOf(indices->ndim, "dimension");
  }
  if (indices->dims() == nullptr) return unknown;
  const int64_t* depth = AsInt(indices->dims()->back());
  if (depth == nullptr) return unknown;
  if (*depth < 0 || *depth + batch > x->ndim) {
    return c.Error("op-argument-shape")
           << "the last dimension of " << DescribeArg(c, call, 1) << " is " << *depth << ", but "
           << ArgName(call, 0) << " has only " << CountOf(x->ndim, "dimension");
  }
  const int ndim = indices->ndim - 1 + x->ndim - static_cast<int>(*depth + batch);
  if (x->dims() == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  for (int64_t i = 0; i < batch; ++i) {
    PrimRef most = (*x->dims())[i], got = (*indices->dims())[i];
    if (c.CanBeAtMost(got, most)) continue;
    return c.Error("op-argument-shape")
           << "dimension " << i << " of " << DescribeArg(c, call, 1) << " must be at most "
           << ToString(most) << ", got " << ToString(got);
  }
  Dims dims(indices->dims()->begin(), indices->dims()->end() - 1);
  dims.insert(dims.end(), x->dims()->begin() + *depth + batch, x->dims()->end());
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeGatherNd(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0), indices = te.Input(1);
  const int64_t batch = IntAttr(call, "batch_dims");
  const int64_t* depth = AsInt(indices->shape.back());
  if (depth == nullptr) return absl::UnimplementedError("the depth of the indices is not known");
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices place(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(indices->shape.size()) - 1);
    Indices from(at.begin(), at.begin() + batch);
    place.push_back(nullptr);
    for (int64_t k = 0; k < *depth; ++k) {
      place.back() = te.math().Int(k);
      from.push_back(WrapIndex(te.math(), te.At(indices, place), x->shape[batch + k]));
    }
    from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(place.size()) - 1, at.end());
    return te.At(x, from);
  })});
}

Result InferOneHot(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* indices, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 0, *indices));
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, 1).status());
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, 2).status());
  const DType on = c.InfoOf(call.args[1])->As<ir::PrimInfo>()->dtype;
  const DType off = c.InfoOf(call.args[2])->As<ir::PrimInfo>()->dtype;
  if (on != off) {
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, 1) << " and " << DescribeArg(c, call, 2)
           << " must have equal dtypes, got " << ToString(on) << " and " << ToString(off);
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t depth, NeedInt(c, call, "depth"));
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  if (depth < 0) {
    return c.Error("op-attribute")
           << "'depth' of " << SurfaceName(call) << " must not be negative, got " << depth;
  }
  if (indices->ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, on, indices->vdevice);
  }
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, indices->ndim + 1));
  if (indices->dims() == nullptr) return c.ir().Tensor(indices->ndim + 1, on, indices->vdevice);
  Dims dims = *indices->dims();
  dims.insert(dims.begin() + axis, c.ir().Int(depth));
  return c.ir().Tensor(std::move(dims), on, indices->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeOneHot(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  LATHE_ASSIGN_OR_RETURN(const PrimRef on, PrimValueOf(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(const PrimRef off, PrimValueOf(c, call, 2));
  const Dims& dims = te.result_dims();
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(dims.size()));
  return te.Finish({te.Compute("out", dims, te.result_dtype(), [&](const Indices& at) {
    Indices place = at;
    place.erase(place.begin() + axis);
    const PrimRef index = m.Cast(te.At(te.Input(0), place), DType::Int(64));
    return m.Select(m.Eq(index, at[axis]), on, off);
  })});
}

}  // namespace lathe::ops
