// Implements scatter_elements and scatter_nd, which store elements at indices of a copy of a
// tensor. Several values for one element are combined one after the other.
#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/index_tensors.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

absl::Status SameDTypes(InferContext& c, const Call& call, int other, const TensorInfo& data,
                        const TensorInfo& updates) {
  if (data.dtype.is_void() || updates.dtype.is_void() || data.dtype == updates.dtype) {
    return absl::OkStatus();
  }
  return c.Error("op-argument-dtype")
         << DescribeArg(c, call, other) << " must have the dtype of the data, "
         << ToString(data.dtype) << ", got " << ToString(updates.dtype);
}

StructInfoRef LikeData(InferContext& c, const TensorInfo& data) {
  if (data.dims() != nullptr) return c.ir().Tensor(*data.dims(), data.dtype, data.vdevice);
  return c.ir().Tensor(data.ndim, data.dtype, data.vdevice);
}

absl::Status CheckReduction(InferContext& c, const Call& call) {
  return NeedOneOf(c, call, "reduction", {"update", "add", "mul", "mean", "min", "max"}).status();
}

// The new value of an element that was `old`.
PrimRef Combined(ScalarMath& m, const std::string& reduction, PrimRef old, PrimRef update) {
  if (reduction == "add") return m.Add(old, update);
  if (reduction == "mul") return m.Mul(old, update);
  if (reduction == "min") return m.Min(old, update);
  if (reduction == "max") return m.Max(old, update);
  // The mean of the two values at each step, not of all values for an element.
  if (reduction == "mean") return m.Div(m.Add(old, update), m.Int(2));
  return update;
}

ir::BufferRef CopyOfData(Te& te) {
  ir::BufferRef x = te.Input(0);
  return te.Compute("out", x->shape, x->dtype, [&](const Indices& at) { return te.At(x, at); });
}

}  // namespace

Result InferScatterElements(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_RETURN_IF_ERROR(CheckReduction(c, call));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, *x[1]));
  LATHE_RETURN_IF_ERROR(SameDTypes(c, call, 2, *x[0], *x[2]));
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x[0]->ndim != ir::kUnknownRank) {
    LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", axis, x[0]->ndim).status());
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *x[1], x[0]->ndim));
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, 2, *x[2], x[0]->ndim));
    LATHE_RETURN_IF_ERROR(NeedIndexShape(c, call, *x[0], *x[1], FromFront(axis, x[0]->ndim)));
  }
  const bool known = x[1]->dims() != nullptr && x[2]->dims() != nullptr;
  for (int i = 0; known && i < x[1]->ndim; ++i) {
    PrimRef a = (*x[1]->dims())[i], b = (*x[2]->dims())[i];
    if (c.CanEqual(a, b)) continue;
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 1) << " and " << DescribeArg(c, call, 2)
           << " must have equal shapes: dimension " << i << " is " << ToString(a) << " and "
           << ToString(b);
  }
  return LikeData(c, *x[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeScatterElements(ir::ComputeContext& c, const Call& call) {
  const std::string reduction = FindString(call, "reduction");
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0), indices = te.Input(1), updates = te.Input(2);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  ir::BufferRef out = CopyOfData(te);
  te.Accumulate("scatter", out, indices->shape, [&](const Indices& at) {
    Indices to = at;
    to[axis] = WrapIndex(te.math(), te.At(indices, at), x->shape[axis]);
    return Te::Store{to, Combined(te.math(), reduction, te.At(out, to), te.At(updates, at))};
  });
  return te.Finish({out});
}

// The last axis of the indices is a position; updates are the values stored there.
Result InferScatterNd(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_RETURN_IF_ERROR(CheckReduction(c, call));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 1, *x[1]));
  LATHE_RETURN_IF_ERROR(SameDTypes(c, call, 2, *x[0], *x[2]));
  const Dims *data = x[0]->dims(), *indices = x[1]->dims(), *updates = x[2]->dims();
  if (data == nullptr || indices == nullptr || updates == nullptr) return LikeData(c, *x[0]);
  const int64_t* depth = indices->empty() ? nullptr : AsInt(indices->back());
  if (depth == nullptr || *depth < 0 || *depth > x[0]->ndim) {
    return c.Error("op-argument-shape")
           << "the last dimension of " << DescribeArg(c, call, 1)
           << " must be a constant, at most the " << x[0]->ndim << " dimensions of the data";
  }
  Dims wanted(indices->begin(), indices->end() - 1);
  wanted.insert(wanted.end(), data->begin() + *depth, data->end());
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 2, *x[2], static_cast<int>(wanted.size())));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (c.CanEqual(wanted[i], (*updates)[i])) continue;
    return c.Error("op-argument-shape")
           << "dimension " << i << " of " << DescribeArg(c, call, 2) << " must be "
           << ToString(wanted[i]) << ", got " << ToString((*updates)[i]);
  }
  return LikeData(c, *x[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeScatterNd(ir::ComputeContext& c, const Call& call) {
  const std::string reduction = FindString(call, "reduction");
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0), indices = te.Input(1), updates = te.Input(2);
  const int64_t* depth = AsInt(indices->shape.back());
  if (depth == nullptr) return absl::UnimplementedError("the depth of the indices is not known");
  ir::BufferRef out = CopyOfData(te);
  const std::ptrdiff_t places = static_cast<std::ptrdiff_t>(indices->shape.size()) - 1;
  te.Accumulate("scatter", out, updates->shape, [&](const Indices& at) {
    Indices place(at.begin(), at.begin() + places), to;
    place.push_back(nullptr);
    for (int64_t k = 0; k < *depth; ++k) {
      place.back() = te.math().Int(k);
      to.push_back(WrapIndex(te.math(), te.At(indices, place), x->shape[k]));
    }
    to.insert(to.end(), at.begin() + places, at.end());
    return Te::Store{to, Combined(te.math(), reduction, te.At(out, to), te.At(updates, at))};
  });
  return te.Finish({out});
}

}  // namespace lathe::ops
