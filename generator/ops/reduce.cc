// Implements reductions over axes: sum, prod, max, min, mean, variance, std, argmax, argmin.
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The shape of the result: the dimensions of `axes` are removed, or 1 with keepdims.
Dims Reduced(ir::Context& context, const Dims& dims, const std::vector<int>& axes, bool keepdims) {
  Dims out;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool gone = absl::c_linear_search(axes, static_cast<int>(i));
    if (!gone || keepdims) out.push_back(gone ? context.Int(1) : dims[i]);
  }
  return out;
}

std::vector<int> AllAxes(int ndim) {
  std::vector<int> axes(ndim);
  absl::c_iota(axes, 0);
  return axes;
}

// `axes` of None means all axes.
absl::StatusOr<StructInfoRef> InferReduced(InferContext& c, const Call& call,
                                           const std::optional<std::vector<int64_t>>& written,
                                           DType dtype) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  const bool keepdims = FindBool(call, "keepdims");
  if (x->ndim == ir::kUnknownRank) {
    if (!written.has_value() && !keepdims) return c.ir().Tensor(Dims{}, dtype, x->vdevice);
    return c.ir().Tensor(ir::kUnknownRank, dtype, x->vdevice);
  }
  std::vector<int> axes = AllAxes(x->ndim);
  if (written.has_value()) {
    LATHE_ASSIGN_OR_RETURN(axes, NormalAxes(c, call, "axis", *written, x->ndim));
  }
  const int ndim = keepdims ? x->ndim : x->ndim - static_cast<int>(axes.size());
  if (x->dims() != nullptr) {
    return c.ir().Tensor(Reduced(c.ir(), *x->dims(), axes, keepdims), dtype, x->vdevice);
  }
  if (ndim == 0) return c.ir().Tensor(Dims{}, dtype, x->vdevice);
  // With every axis reduced and kept, all dimensions are 1.
  if (keepdims && static_cast<int>(axes.size()) == x->ndim) {
    return c.ir().Tensor(Dims(x->ndim, c.ir().Int(1)), dtype, x->vdevice);
  }
  return c.ir().Tensor(ndim, dtype, x->vdevice);
}

// Maps between elements of the result and of the input.
class Reduction {
 public:
  Reduction(Te& te, const Call& call, const std::optional<std::vector<int64_t>>& written)
      : te_(te), x_(te.Input(0)) {
    const int ndim = static_cast<int>(x_->shape.size());
    if (!written.has_value()) axes_ = AllAxes(ndim);
    for (int64_t axis : written.value_or(std::vector<int64_t>()))
      axes_.push_back(FromFront(axis, ndim));
    absl::c_sort(axes_);
    keepdims_ = FindBool(call, "keepdims");
    for (int axis : axes_) over_.push_back(x_->shape[axis]);
  }

  const Dims& over() const { return over_; }
  Dims out_dims() const { return Reduced(te_.ir(), x_->shape, axes_, keepdims_); }
  PrimRef count(DType dtype) {
    PrimRef count = te_.math().Int(1);
    for (PrimRef extent : over_) count = te_.math().Mul(count, extent);
    return te_.math().Cast(count, dtype);
  }

  // The input's indices for an element of the result and a point of the reduced axes.
  Indices In(const Indices& at, const Indices& r) const {
    Indices in;
    size_t next = 0, next_reduced = 0;
    for (size_t i = 0; i < x_->shape.size(); ++i) {
      const bool reduced =
          next_reduced < axes_.size() && axes_[next_reduced] == static_cast<int>(i);
      if (!reduced || keepdims_) ++next;
      in.push_back(reduced ? r[next_reduced++] : at[next - 1]);
    }
    return in;
  }
  // The indices of the result for an element of the input.
  Indices Out(const Indices& in) const {
    Indices out;
    for (size_t i = 0; i < in.size(); ++i) {
      const bool reduced = absl::c_linear_search(axes_, static_cast<int>(i));
      if (!reduced) out.push_back(in[i]);
      if (reduced && keepdims_) out.push_back(te_.math().Int(0));
    }
    return out;
  }

  ir::BufferRef Fold(absl::string_view name, const Reducer& reducer) {
    return te_.Reduce(name, out_dims(), over_, reducer,
                      [&](const Indices& at, const Indices& r) { return te_.At(x_, In(at, r)); });
  }
  ir::BufferRef Sum() {
    return te_.SumUp(
        "sum", out_dims(), over_, x_->dtype,
        [&](DType to, const Indices& at, const Indices& r) { return Element(In(at, r), to); });
  }
  // Accumulates float16 in float32 and small integers in int64, then casts to `to`.
  ir::BufferRef Mean(DType to) {
    ir::BufferRef sum =
        te_.Reduce("sum", out_dims(), over_, te_.Sum(wide()),
                   [&](const Indices& at, const Indices& r) { return Element(In(at, r), wide()); });
    return te_.Compute("mean", sum->shape, to, [&](const Indices& at) {
      return te_.math().Cast(te_.math().Div(te_.At(sum, at), count(wide())), to);
    });
  }
  // The mean of the squares of the differences from the mean.
  ir::BufferRef Variance(DType to) {
    ir::BufferRef mean = Mean(wide());
    ir::BufferRef squares = te_.Reduce(
        "squares", out_dims(), over_, te_.Sum(wide()), [&](const Indices& at, const Indices& r) {
          const Indices in = In(at, r);
          const PrimRef difference = te_.math().Sub(Element(in, wide()), te_.At(mean, Out(in)));
          return te_.math().Mul(difference, difference);
        });
    return te_.Compute("variance", squares->shape, to, [&](const Indices& at) {
      return te_.math().Cast(te_.math().Div(te_.At(squares, at), count(wide())), to);
    });
  }
  DType wide() const { return SumDType(x_->dtype); }

 private:
  PrimRef Element(const Indices& in, DType to) { return te_.math().Cast(te_.At(x_, in), to); }

  Te& te_;
  ir::BufferRef x_;
  std::vector<int> axes_;  // ascending
  bool keepdims_ = false;
  Dims over_;
};

// Fails when the reduced axes of a median are empty and the result has elements.
absl::Status NeedNonEmpty(InferContext& c, const Call& call,
                          const std::optional<std::vector<int64_t>>& axes) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  const Dims* dims = DimsOf(c, *x);
  if (dims == nullptr) return absl::OkStatus();
  std::vector<bool> gone(dims->size(), !axes.has_value());
  for (int64_t axis : axes.value_or(std::vector<int64_t>())) gone[FromFront(axis, x->ndim)] = true;
  for (size_t i = 0; i < dims->size(); ++i) {
    const int64_t* known = AsInt((*dims)[i]);
    if (!gone[i] && known != nullptr && *known == 0) return absl::OkStatus();
  }
  for (size_t i = 0; i < dims->size(); ++i) {
    if (!gone[i] || c.CanBeAtMost(c.ir().Int(1), (*dims)[i])) continue;
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 0) << " must have elements along the axes over which "
           << SurfaceName(call) << " computes the median, got 0 along axis " << i;
  }
  return absl::OkStatus();
}

std::optional<std::vector<int64_t>> OneAxis(const Call& call) {
  const std::optional<int64_t> axis = FindInt(call, "axis");
  return axis ? std::optional(std::vector<int64_t>{*axis}) : std::nullopt;
}

}  // namespace

absl::StatusOr<StructInfoRef> InferReduce(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  std::optional<std::vector<int64_t>> axes;
  if (!IsNone(call, "axis")) {
    LATHE_ASSIGN_OR_RETURN(axes, NeedInts(c, call, "axis"));
  }
  return InferReduced(c, call, axes, x->dtype);
}

// The deviation is a square root, which is undefined for integers.
absl::StatusOr<StructInfoRef> InferStd(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x));
  return InferReduce(c, call);
}

// With one axis, also returns the indices.
absl::StatusOr<StructInfoRef> InferMedian(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(StructInfoRef values, InferReduce(c, call));
  const std::optional<std::vector<int64_t>> axes = FindInts(call, "axis");
  LATHE_RETURN_IF_ERROR(NeedNonEmpty(c, call, axes));
  if (!axes.has_value() || axes->size() != 1) return values;
  return c.ir().Tuple({values, WithDType(c.ir(), *values->As<TensorInfo>(), DType::Int(64))});
}

absl::StatusOr<StructInfoRef> InferArgReduce(InferContext& c, const Call& call) {
  std::optional<std::vector<int64_t>> axes;
  if (!IsNone(call, "axis")) {
    LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
    axes = {axis};
  }
  return InferReduced(c, call, axes, DType::Int(64));
}

absl::StatusOr<ir::PrimFunc> ComputeReduce(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  Reduction reduction(te, call, FindInts(call, "axis"));
  const DType dtype = te.Input(0)->dtype;
  const absl::string_view name = call.op()->name;
  if (name == "relax.sum") return te.Finish({reduction.Sum()});
  if (name == "relax.prod") return te.Finish({reduction.Fold("prod", te.Prod(dtype))});
  if (name == "relax.max") return te.Finish({reduction.Fold("max", te.Max(dtype))});
  if (name == "relax.min") return te.Finish({reduction.Fold("min", te.Min(dtype))});
  if (name == "relax.mean") return te.Finish({reduction.Mean(dtype)});
  if (name == "relax.variance") return te.Finish({reduction.Variance(dtype)});
  ir::BufferRef variance = reduction.Variance(reduction.wide());
  return te.Finish({te.Compute("std", variance->shape, dtype, [&](const Indices& at) {
    return te.math().Cast(te.math().Call("sqrt", {te.At(variance, at)}), dtype);
  })});
}

// The position of the first of the largest, or smallest.
absl::StatusOr<ir::PrimFunc> ComputeArgReduce(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  Reduction reduction(te, call, OneAxis(call));
  ir::BufferRef x = te.Input(0);
  const bool largest = call.op()->name == "relax.argmax";
  const Reducer reducer = {{largest ? m.Lowest(x->dtype) : m.Highest(x->dtype), m.Int(-1)},
                           [m, largest](const Indices& acc, const Indices& value) mutable {
                             const PrimRef better =
                                 largest ? m.Lt(acc[0], value[0]) : m.Lt(value[0], acc[0]);
                             // The first element is used even when it is not better than the
                             // initial value.
                             const PrimRef take = m.Or(better, m.Lt(acc[1], m.Int(0)));
                             return std::vector<PrimRef>{m.Select(take, value[0], acc[0]),
                                                         m.Select(take, value[1], acc[1])};
                           }};
  const std::vector<ir::BufferRef> found = te.ReduceSeveral(
      {"best", "position"}, reduction.out_dims(), reduction.over(), reducer,
      [&](const Indices& at, const Indices& r) {
        return std::vector<PrimRef>{te.At(x, reduction.In(at, r)), m.Flatten(r, reduction.over())};
      });
  return te.Finish({found[1]});
}

}  // namespace lathe::ops
