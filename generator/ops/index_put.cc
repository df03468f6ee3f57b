// Implements index_tensor, which reads, index_put, which writes elements given by several index
// tensors, and slice_scatter, which writes a slice.
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/index_tensors.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

absl::Status CheckIndices(InferContext& c, const Call& call,
                          const std::vector<const TensorInfo*>& indices, int ndim) {
  if (indices.empty()) {
    return c.Error("op-argument-count") << SurfaceName(call) << " needs at least one index tensor";
  }
  for (const TensorInfo* index : indices) {
    if (index->dtype.is_void() || index->dtype.is_integer()) continue;
    return c.Error("op-argument-dtype")
           << "an index tensor of " << SurfaceName(call) << " must have an integer dtype, got "
           << ToString(index->dtype);
  }
  if (ndim == ir::kUnknownRank || static_cast<int>(indices.size()) <= ndim) {
    return absl::OkStatus();
  }
  return c.Error("op-argument-rank")
         << SurfaceName(call) << " has " << CountOf(indices.size(), "index tensor") << " for "
         << CountOf(ndim, "dimension");
}

// The broadcast shape of the index tensors; nullopt when it is uncertain.
absl::StatusOr<std::optional<Dims>> BroadcastDim(InferContext& c, const Call& call,
                                                 const std::vector<const TensorInfo*>& indices) {
  Dims dims;
  for (const TensorInfo* index : indices) {
    if (index->dims() == nullptr) return std::optional<Dims>();
    LATHE_ASSIGN_OR_RETURN(std::optional<Dims> both,
                           BroadcastDims(c, call, 1, dims, 1, *index->dims()));
    if (!both.has_value()) return both;
    dims = *std::move(both);
  }
  return std::optional<Dims>(std::move(dims));
}

}  // namespace

// The broadcast index tensors replace the first axes; the other axes follow.
Result InferIndexTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> indices, TensorTupleArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(CheckIndices(c, call, indices, x->ndim));
  LATHE_ASSIGN_OR_RETURN(std::optional<Dims> dims, BroadcastDim(c, call, indices));
  if (!dims.has_value() || x->ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  }
  const int rest = x->ndim - static_cast<int>(indices.size());
  if (x->dims() == nullptr) {
    return c.ir().Tensor(static_cast<int>(dims->size()) + rest, x->dtype, x->vdevice);
  }
  dims->insert(dims->end(), x->dims()->end() - rest, x->dims()->end());
  return c.ir().Tensor(*std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeIndexTensor(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const std::vector<ir::BufferRef>& indices = te.Inputs(1);
  const std::ptrdiff_t rest =
      static_cast<std::ptrdiff_t>(x->shape.size()) - static_cast<std::ptrdiff_t>(indices.size());
  const Dims over(te.result_dims().begin(), te.result_dims().end() - rest);
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    const Indices place(at.begin(), at.end() - rest);
    Indices from;
    for (size_t i = 0; i < indices.size(); ++i) {
      from.push_back(WrapIndex(te.math(), te.AtBroadcast(indices[i], place, over), x->shape[i]));
    }
    from.insert(from.end(), at.end() - rest, at.end());
    return te.At(x, from);
  })});
}

Result InferIndexPut(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 1));
  std::vector<const TensorInfo*> indices;
  if (const auto* one = c.InfoOf(call.args[1])->As<TensorInfo>()) {
    indices.push_back(one);
  } else {
    LATHE_ASSIGN_OR_RETURN(indices, TensorTupleArg(c, call, 1));
  }
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* values, TensorArg(c, call, 2));
  LATHE_RETURN_IF_ERROR(CheckIndices(c, call, indices, x->ndim));
  LATHE_RETURN_IF_ERROR(SameDType(c, call, {x, values}).status());
  if (x->ndim != ir::kUnknownRank && static_cast<int>(indices.size()) != x->ndim) {
    return c.Error("op-argument-rank")
           << SurfaceName(call) << " has " << CountOf(indices.size(), "index tensor") << " for "
           << CountOf(x->ndim, "dimension");
  }
  indices.push_back(values);
  for (size_t i = 1; i < indices.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      LATHE_RETURN_IF_ERROR(NeedBroadcast(c, call, *indices[k], *indices[i]));
    }
  }
  if (x->dims() != nullptr) return c.ir().Tensor(*x->dims(), x->dtype, x->vdevice);
  return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
}

// Of several values for one element, the last is stored, or all are added.
absl::StatusOr<ir::PrimFunc> ComputeIndexPut(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), values = te.Input(2);
  const std::vector<ir::BufferRef>& indices = te.Inputs(1);
  const bool adds = FindBool(call, "accumulate");
  Dims over = values->shape;
  for (ir::BufferRef index : indices) {
    if (index->shape.size() >= over.size()) over = index->shape;
  }
  for (ir::BufferRef index : indices) {
    const size_t lead = over.size() - index->shape.size();
    for (size_t d = lead; d < over.size(); ++d) {
      over[d] = te.BroadcastDim(over[d], index->shape[d - lead]);
    }
  }
  ir::BufferRef out =
      te.Compute("out", x->shape, x->dtype, [&](const Indices& at) { return te.At(x, at); });
  te.Accumulate("put", out, over, [&](const Indices& at) {
    Indices to;
    for (size_t i = 0; i < indices.size(); ++i) {
      to.push_back(WrapIndex(m, te.AtBroadcast(indices[i], at, over), x->shape[i]));
    }
    const PrimRef value = te.AtBroadcast(values, at, over);
    return Te::Store{to, adds ? m.Add(te.At(out, to), value) : value};
  });
  return te.Finish({out});
}

namespace {

// Checks that the source elements, stored `step` apart from `start` on, are all in the data.
absl::Status NeedWithinExtent(InferContext& c, const Call& call, PrimRef start, PrimRef step,
                              PrimRef extent, PrimRef length) {
  if (start == nullptr || step == nullptr) return absl::OkStatus();
  ScalarMath m(c.ir());
  const PrimRef first = WrapIndex(m, start, extent), none = m.Eq(length, m.Int(0));
  const PrimRef last = m.Add(first, m.Mul(m.Sub(length, m.Int(1)), m.Cast(step, DType::Int(64))));
  const PrimRef lowest = m.Select(none, m.Int(0), m.Min(first, last));
  const PrimRef beyond = m.Select(none, m.Int(0), m.Add(m.Max(first, last), m.Int(1)));
  if (c.CanBeAtMost(m.Int(0), c.Simplify(lowest)) && c.CanBeAtMost(c.Simplify(beyond), extent)) {
    return absl::OkStatus();
  }
  return c.Error("op-argument-shape")
         << DescribeArg(c, call, 1) << " has " << ToString(length)
         << " elements along the axis, with step " << ToString(step) << " from " << ToString(start)
         << ", which do not fit in " << ToString(extent) << " elements";
}

}  // namespace

Result InferSliceScatter(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* source, TensorArg(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(PrimRef start, PrimArg(c, call, 2));
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, 3).status());
  LATHE_ASSIGN_OR_RETURN(PrimRef step, PrimArg(c, call, 4));
  LATHE_RETURN_IF_ERROR(SameDType(c, call, {x, source}).status());
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x->ndim == ir::kUnknownRank) return c.InfoOf(call.args[0]);
  LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", axis, x->ndim).status());
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *source, x->ndim));
  for (int i = 0; x->dims() != nullptr && source->dims() != nullptr && i < x->ndim; ++i) {
    PrimRef extent = (*x->dims())[i], length = (*source->dims())[i];
    if (i == FromFront(axis, x->ndim)) {
      LATHE_RETURN_IF_ERROR(NeedWithinExtent(c, call, start, step, extent, length));
    } else if (!c.CanEqual(extent, length)) {
      return c.Error("op-argument-shape")
             << "dimension " << i << " of " << DescribeArg(c, call, 1) << " must be "
             << ToString(extent) << ", got " << ToString(length);
    }
  }
  return c.InfoOf(call.args[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeSliceScatter(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), source = te.Input(1);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  LATHE_ASSIGN_OR_RETURN(PrimRef start, PrimValueOf(c, call, 2));
  LATHE_ASSIGN_OR_RETURN(const PrimRef step, PrimValueOf(c, call, 4));
  start = WrapIndex(m, start, x->shape[axis]);
  ir::BufferRef out =
      te.Compute("out", x->shape, x->dtype, [&](const Indices& at) { return te.At(x, at); });
  te.Assign("slice", out, source->shape, [&](const Indices& at) {
    Indices to = at;
    to[axis] = m.Add(m.Mul(at[axis], m.Cast(step, DType::Int(64))), start);
    return Te::Store{to, te.At(source, at)};
  });
  return te.Finish({out});
}

}  // namespace lathe::ops
