// Implements elementwise operators of several tensors or with scalars: where, clip, ewise_fma,
// astype.
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// A bound of clip in `dtype`, limited to its range.
PrimRef Held(ScalarMath& m, PrimRef bound, DType dtype) {
  const bool real = dtype.is_floating();
  // Infinity is a valid bound, and casts to integers saturate.
  if (real ? ScalarMath::HasInfinity(dtype) : bound->dtype().is_floating()) {
    return m.Cast(bound, dtype);
  }
  const DType unsigned_long = DType::UInt(64);
  if (!real && bound->dtype() == unsigned_long) {
    if (dtype == unsigned_long) return bound;
    return m.Cast(m.Min(bound, m.Cast(m.Highest(dtype), unsigned_long)), dtype);
  }
  const DType wide = real ? DType::Float(64) : DType::Int(64);
  bound = m.Max(m.Cast(bound, wide), m.Cast(m.Lowest(dtype), wide));
  if (real || dtype.bits < 64) bound = m.Min(bound, m.Cast(m.Highest(dtype), wide));
  return m.Cast(bound, dtype);
}

}  // namespace

Result InferWhere(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  if (!x[0]->dtype.is_void() && !x[0]->dtype.is_bool()) {
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, 0) << " must be bool, got " << ToString(x[0]->dtype);
  }
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SameDType(c, call, {x[1], x[2]}));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  LATHE_ASSIGN_OR_RETURN(const BroadcastShape first, Broadcast(c, call, 1, *x[1], 2, *x[2]));
  TensorInfo both;
  both.shape = first.shape;
  both.ndim = first.ndim;
  LATHE_ASSIGN_OR_RETURN(const BroadcastShape out, Broadcast(c, call, 0, *x[0], 1, both));
  return TensorOf(c.ir(), out.shape, out.ndim, dtype, device);
}

absl::StatusOr<ir::PrimFunc> ComputeWhere(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  return te.Finish({te.Compute("out", te.result_dims(), te.result_dtype(), [&](const Indices& at) {
    return te.math().Select(te.AtBroadcast(te.Input(0), at), te.AtBroadcast(te.Input(1), at),
                            te.AtBroadcast(te.Input(2), at));
  })});
}

Result InferClip(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(TensorArg(c, call, 0).status());
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, 1).status());
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, 2).status());
  return c.InfoOf(call.args[0]);
}

// Casts the bounds to the dtype of x, limited to its range: clip(uint8, -1, 300) is x.
absl::StatusOr<ir::PrimFunc> ComputeClip(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  LATHE_ASSIGN_OR_RETURN(PrimRef low, PrimValueOf(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(PrimRef high, PrimValueOf(c, call, 2));
  low = Held(m, low, x->dtype);
  high = Held(m, high, x->dtype);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    return m.Min(m.Max(te.At(x, at), low), high);
  })});
}

// x1 * x2 + x3, all of one shape.
Result InferEwiseFma(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SameDType(c, call, x));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  if (x[0]->shape_var() != nullptr && x[0]->shape == x[1]->shape && x[0]->shape == x[2]->shape) {
    return TensorOf(c.ir(), x[0]->shape, x[0]->ndim, dtype, device);
  }
  int ndim = ir::kUnknownRank;
  const Dims* dims = nullptr;
  bool certain = true;
  for (const TensorInfo* t : x) {
    if (ndim == ir::kUnknownRank) ndim = t->ndim;
    if (t->ndim != ir::kUnknownRank && t->ndim != ndim) {
      return c.Error("op-argument-rank")
             << "the tensors of " << SurfaceName(call)
             << " must have equal numbers of dimensions, got " << ndim << " and " << t->ndim;
    }
    const Dims* own = DimsOf(c, *t);
    if (own == nullptr) {
      certain = false;
      continue;
    }
    if (dims == nullptr) dims = own;
    for (int i = 0; i < ndim; ++i) {
      const ir::Tri same = c.ProveEqual((*dims)[i], (*own)[i]);
      certain &= same == ir::Tri::kYes;
      if (same == ir::Tri::kNo) {
        return c.Error("op-argument-shape")
               << "the tensors of " << SurfaceName(call) << " must have equal sizes in dimension "
               << i << ", got " << ToString((*dims)[i]) << " and " << ToString((*own)[i]);
      }
    }
  }
  if (dims != nullptr && certain) return c.ir().Tensor(*dims, dtype, device);
  return c.ir().Tensor(ndim, dtype, device);
}

absl::StatusOr<ir::PrimFunc> ComputeEwiseFma(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  return te.Finish({te.Compute("out", te.result_dims(), te.result_dtype(), [&](const Indices& at) {
    return m.Add(m.Mul(te.At(te.Input(0), at), te.At(te.Input(1), at)), te.At(te.Input(2), at));
  })});
}

Result InferAsType(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  return WithDType(c.ir(), *x, FindDType(call, "dtype"));
}

absl::StatusOr<ir::PrimFunc> ComputeAsType(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  return te.Finish({te.Compute("out", x->shape, te.result_dtype(),
                               [&](const Indices& at) { return te.At(x, at); })});
}

}  // namespace lathe::ops
