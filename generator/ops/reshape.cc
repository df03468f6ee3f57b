// Implements reshape, flatten, batch_flatten, expand_dims, squeeze.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

bool IsKnownInt(PrimRef e, int64_t value) {
  const int64_t* i = AsInt(e);
  return i != nullptr && *i == value;
}

// The info of an argument as written, in which variables are not replaced by known sizes.
StructInfoRef AsWritten(InferContext& c, const ir::Operand& operand) {
  if (const auto* shape = operand.As<ir::ShapeExpr>()) return c.ir().Shape(shape->values);
  const auto* id = operand.As<ir::ValueId>();
  StructInfoRef info = id == nullptr ? nullptr : c.module().values[*id].info;
  return info == nullptr ? c.InfoOf(operand) : info;
}

// True when squeeze may keep a named axis that is not 1: its length is constant or unknown. A
// symbolic axis is assumed to be 1 and removed.
bool MayStay(InferContext& c, const Call& call, size_t axis) {
  const auto* x = AsWritten(c, call.args[0])->As<TensorInfo>();
  if (x == nullptr || x->ndim == ir::kUnknownRank) return true;
  return x->dims() != nullptr && AsInt((*x->dims())[axis]) != nullptr;
}

// The dimensions that a shape operand means: a literal 0 copies the input's dimension (unless the
// input is literally empty, when it means 0), and one -1 is computed. A symbolic size of 0 is 0.
// Nullopt when that needs unknown dimensions.
absl::StatusOr<std::optional<Dims>> Meant(InferContext& c, const Call& call, const Dims* from,
                                          Dims dims) {
  int open = -1;
  const auto* given = AsWritten(c, call.args[0])->As<TensorInfo>();
  const bool empty =
      given != nullptr && given->dims() != nullptr && IsKnownInt(Product(c, *given->dims()), 0);
  const auto* shape = AsWritten(c, call.args[1])->As<ir::ShapeInfo>();
  const auto written = [&](size_t i) {
    const bool known =
        shape != nullptr && shape->values.has_value() && shape->values->size() == dims.size();
    return known && AsInt((*shape->values)[i]) != nullptr;
  };
  for (size_t i = 0; i < dims.size(); ++i) {
    if (IsKnownInt(dims[i], 0) && (empty || !written(i))) continue;
    if (IsKnownInt(dims[i], 0)) {
      if (from == nullptr) return std::optional<Dims>();
      if (i >= from->size()) {
        return c.Error("op-argument-shape")
               << "dimension " << i << " of the shape given to " << SurfaceName(call)
               << " is 0, which copies the dimension of the input, but the rank of the input is "
               << from->size();
      }
      dims[i] = (*from)[i];
    } else if (const int64_t* size = AsInt(dims[i]); size != nullptr && *size < 0) {
      if (*size != -1 || open >= 0 || !written(i)) {
        return c.Error("op-argument-shape")
               << "the shape given to " << SurfaceName(call)
               << " must contain at most one -1 and no other negative number, got "
               << c.Show(call.args[1]);
      }
      open = static_cast<int>(i);
    }
  }
  if (open < 0) return std::optional<Dims>(std::move(dims));
  if (from == nullptr) return std::optional<Dims>();
  Dims rest = dims;
  rest.erase(rest.begin() + open);
  PrimRef known = Product(c, rest);
  dims[open] = IsKnownInt(known, 0)
                   ? known
                   : c.Simplify(c.ir().Make(ir::BinaryOp::kFloorDiv, Product(c, *from), known));
  return std::optional<Dims>(std::move(dims));
}

}  // namespace

Result InferReshape(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* shape, ShapeArg(c, call, 1));
  const Dims* from = DimsOf(c, *x);
  if (!shape->values.has_value()) return TensorOfShapeArg(c, call, 1, x->dtype, x->vdevice);
  LATHE_ASSIGN_OR_RETURN(std::optional<Dims> to, Meant(c, call, from, *shape->values));
  if (!to.has_value()) return c.ir().Tensor(shape->ndim, x->dtype, x->vdevice);
  if (from != nullptr && !c.CanEqual(Product(c, *from), Product(c, *to))) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 0) << " has " << ToString(Product(c, *from))
           << " elements, but the shape " << c.Show(call.args[1]) << " has "
           << ToString(Product(c, *to));
  }
  return c.ir().Tensor(*std::move(to), x->dtype, x->vdevice);
}

Result InferBroadcastTo(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* shape, ShapeArg(c, call, 1));
  if (x->ndim != ir::kUnknownRank && shape->ndim != ir::kUnknownRank && shape->ndim < x->ndim) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0)
           << " has more dimensions than the shape it is broadcast to: " << x->ndim << " and "
           << shape->ndim;
  }
  const Dims* from = DimsOf(c, *x);
  if (from != nullptr && shape->values.has_value()) {
    const Dims& to = *shape->values;
    for (size_t i = 1; i <= from->size(); ++i) {
      PrimRef have = (*from)[from->size() - i], want = to[to.size() - i];
      if (c.CanEqualOrBeOne(have, want)) continue;
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, 0) << " does not broadcast to " << c.Show(call.args[1])
             << ": its dimension " << from->size() - i << " is " << ToString(have) << ", expected "
             << ToString(want);
    }
  }
  return TensorOfShapeArg(c, call, 1, x->dtype, x->vdevice);
}

Result InferFlatten(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  if (x->ndim == 1) return c.InfoOf(call.args[0]);
  if (x->dims() != nullptr) {
    return c.ir().Tensor(Dims{Product(c, *x->dims())}, x->dtype, x->vdevice);
  }
  if (x->ndim == 0) return c.ir().Tensor(Dims{c.ir().Int(1)}, x->dtype, x->vdevice);
  return c.ir().Tensor(1, x->dtype, x->vdevice);
}

// Merges all dimensions except the first.
Result InferBatchFlatten(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  if (x->ndim == 0) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " must have at least 1 dimension, got 0";
  }
  if (x->ndim == 2) return c.InfoOf(call.args[0]);
  if (x->dims() == nullptr) return c.ir().Tensor(2, x->dtype, x->vdevice);
  const Dims rest(x->dims()->begin() + 1, x->dims()->end());
  return c.ir().Tensor(Dims{x->dims()->front(), Product(c, rest)}, x->dtype, x->vdevice);
}

Result InferExpandDims(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> written, NeedInts(c, call, "axis"));
  if (x->ndim == ir::kUnknownRank || written.empty()) {
    return written.empty() ? c.InfoOf(call.args[0])
                           : c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  }
  const int ndim = x->ndim + static_cast<int>(written.size());
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, NormalAxes(c, call, "axis", written, ndim));
  if (x->dims() == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  Dims dims(ndim, nullptr);
  for (int axis : axes) dims[axis] = c.ir().Int(1);
  auto next = x->dims()->begin();
  for (PrimRef& dim : dims) dim = dim == nullptr ? *next++ : dim;
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

// A named axis of length other than 1 is kept. Without names every dimension of 1 is removed.
Result InferSqueeze(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  StructInfoRef unknown = c.ir().Tensor(ir::kUnknownRank, x->dtype, x->vdevice);
  const bool named = !IsNone(call, "axis");
  std::vector<int> axes;
  if (named) {
    LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> written, NeedInts(c, call, "axis"));
    if (written.empty()) return c.InfoOf(call.args[0]);
    if (x->ndim == ir::kUnknownRank) return unknown;
    LATHE_ASSIGN_OR_RETURN(axes, NormalAxes(c, call, "axis", written, x->ndim));
  }
  const Dims* from = DimsOf(c, *x);
  if (from == nullptr) {
    if (!named) return unknown;
    return c.ir().Tensor(x->ndim - static_cast<int>(axes.size()), x->dtype, x->vdevice);
  }
  Dims dims;
  for (size_t i = 0; i < from->size(); ++i) {
    PrimRef dim = (*from)[i];
    if (!named && AsInt(dim) == nullptr) return unknown;
    const bool meant =
        !named || std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    if (meant && c.CanEqual(dim, c.ir().Int(1))) continue;
    if (meant && named && !MayStay(c, call, i)) {
      return c.Error("op-argument-shape")
             << "axis " << i << " of " << DescribeArg(c, call, 0) << ", which " << SurfaceName(call)
             << " removes, must be 1, got " << ToString(dim);
    }
    dims.push_back(dim);
  }
  if (dims.size() == from->size()) return c.InfoOf(call.args[0]);
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeReshape(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const Dims& dims = te.result_dims();
  return te.Finish({te.Compute("reshape", dims, x->dtype, [&](const Indices& at) {
    return te.At(x, te.math().Unflatten(te.math().Flatten(at, dims), x->shape));
  })});
}

absl::StatusOr<ir::PrimFunc> ComputeBroadcastTo(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  return te.Finish({te.Compute("broadcast_to", te.result_dims(), x->dtype,
                               [&](const Indices& at) { return te.AtBroadcast(x, at); })});
}

// Adding or removing dimensions of 1 keeps the order of elements.
absl::StatusOr<ir::PrimFunc> ComputeExpandDims(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const Dims& dims = te.result_dims();
  std::vector<int> axes;
  for (int64_t axis : FindInts(call, "axis").value_or(std::vector<int64_t>())) {
    axes.push_back(FromFront(axis, static_cast<int>(dims.size())));
  }
  return te.Finish({te.Compute("expand_dims", dims, x->dtype, [&](const Indices& at) {
    Indices in;
    for (size_t i = 0; i < at.size(); ++i) {
      const bool added = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
      if (!added) in.push_back(at[i]);
    }
    return te.At(x, in);
  })});
}

}  // namespace lathe::ops
