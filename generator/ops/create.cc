// Implements operators that create tensors: full, ones, zeros, eye, hamming_window; and tril, triu.
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

absl::StatusOr<PrimRef> KnownPrim(InferContext& c, const Call& call, int i) {
  LATHE_ASSIGN_OR_RETURN(PrimRef value, PrimArg(c, call, i));
  if (value != nullptr) return value;
  return c.Error("op-argument-kind") << DescribeArg(c, call, i) << " must be a scalar literal";
}

absl::Status NeedScalar(InferContext& c, const Call& call, int i, const TensorInfo& x) {
  if (x.ndim == 0 || x.ndim == ir::kUnknownRank) return absl::OkStatus();
  return c.Error("op-argument-rank")
         << DescribeArg(c, call, i) << " must have no dimensions, got " << x.ndim;
}

absl::Status NeedWhole(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(PrimArg(c, call, i).status());
  const DType dtype = c.InfoOf(call.args[i])->As<ir::PrimInfo>()->dtype;
  if (dtype.is_void() || dtype.is_integer()) return absl::OkStatus();
  return c.Error("op-argument-dtype")
         << DescribeArg(c, call, i) << " must be an integer, got " << ToString(dtype);
}

// Checks that a size is a non-negative integer.
absl::Status NeedSize(InferContext& c, const Call& call, int i, PrimRef size) {
  LATHE_RETURN_IF_ERROR(NeedWhole(c, call, i));
  if (const int64_t* known = AsInt(size); known != nullptr && *known < 0) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, i) << " must not be negative, got " << *known;
  }
  return absl::OkStatus();
}

}  // namespace

Result InferFull(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* value, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedScalar(c, call, 1, *value));
  const DType dtype = FindDType(call, "dtype");
  return TensorOfShapeArg(c, call, 0, dtype.is_void() ? value->dtype : dtype, value->vdevice);
}

Result InferOnes(InferContext& c, const Call& call) {
  return TensorOfShapeArg(c, call, 0, FindDType(call, "dtype"), nullptr);
}

// full_like, ones_like, zeros_like.
Result InferLike(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  if (call.op()->name == "relax.full_like") {
    LATHE_ASSIGN_OR_RETURN(const TensorInfo* value, TensorArg(c, call, 1));
    LATHE_RETURN_IF_ERROR(NeedScalar(c, call, 1, *value));
  }
  const DType dtype = FindDType(call, "dtype");
  return dtype.is_void() ? c.InfoOf(call.args[0]) : WithDType(c.ir(), *x, dtype);
}

Result InferEye(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(PrimRef rows, KnownPrim(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(PrimRef columns, KnownPrim(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedSize(c, call, 0, rows));
  LATHE_RETURN_IF_ERROR(NeedSize(c, call, 1, columns));
  LATHE_RETURN_IF_ERROR(NeedWhole(c, call, 2));
  return c.ir().Tensor(Dims{rows, columns}, FindDType(call, "dtype"));
}

Result InferEyeLike(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 2));
  LATHE_RETURN_IF_ERROR(NeedWhole(c, call, 1));
  const DType dtype = FindDType(call, "dtype");
  return dtype.is_void() ? c.InfoOf(call.args[0]) : WithDType(c.ir(), *x, dtype);
}

Result InferHammingWindow(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(PrimRef size, KnownPrim(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedSize(c, call, 0, size));
  const DType dtype = FindDType(call, "dtype");
  if (!dtype.is_floating()) {
    return c.Error("op-attribute") << "'dtype' of " << SurfaceName(call)
                                   << " must be a floating-point dtype, got " << ToString(dtype);
  }
  if (!c.CanBeAtMost(c.ir().Int(1, size->dtype()), size)) {
    return c.Error("op-argument-shape") << "'window_size' of " << SurfaceName(call)
                                        << " must be at least 1, got " << ToString(size);
  }
  return c.ir().Tensor(Dims{c.Simplify(size)}, dtype);
}

Result InferTriangle(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedWhole(c, call, 1));
  if (x->ndim == 0 || x->ndim == 1) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " must have at least 2 dimensions, got " << x->ndim;
  }
  return c.InfoOf(call.args[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeFull(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  const DType dtype = te.result_dtype();
  const bool given = absl::StartsWith(call.op()->name, "relax.full");
  const bool ones = absl::StartsWith(call.op()->name, "relax.ones");
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices&) {
    return given ? te.At(te.Input(1), {}) : te.math().Const(ones ? 1 : 0, dtype);
  })});
}

absl::StatusOr<ir::PrimFunc> ComputeEye(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const DType dtype = te.result_dtype();
  LATHE_ASSIGN_OR_RETURN(const PrimRef k,
                         PrimValueOf(c, call, static_cast<int>(call.args.size()) - 1));
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
    return m.Select(m.Eq(m.Sub(at[1], at[0]), k), m.Const(1, dtype), m.Const(0, dtype));
  })});
}

// alpha - beta * cos(2 * pi * i / (n - 1)); over n when it is periodic.
absl::StatusOr<ir::PrimFunc> ComputeHammingWindow(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const DType dtype = te.result_dtype(), real = DType::Float(64);
  std::vector<PrimRef> args;
  for (int i = 0; i < 4; ++i) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, PrimValueOf(c, call, i));
    args.push_back(m.Cast(value, i < 2 ? DType::Int(64) : real));
  }
  const PrimRef periodic = m.Ne(args[1], m.Int(0));
  const PrimRef period = m.Select(periodic, args[0], m.Max(m.Sub(args[0], m.Int(1)), m.Int(1)));
  const PrimRef alone = m.Eq(args[0], m.Int(1));  // a window of one value is 1
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
    const PrimRef turn = m.Div(m.Mul(m.Const(2 * M_PI, real), at[0]), period);
    const PrimRef value = m.Sub(args[2], m.Mul(args[3], m.Call("cos", {turn})));
    return m.Cast(m.Select(alone, m.Const(1, real), value), dtype);
  })});
}

absl::StatusOr<ir::PrimFunc> ComputeTriangle(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  LATHE_ASSIGN_OR_RETURN(PrimRef k, PrimValueOf(c, call, 1));
  k = m.Cast(k, DType::Int(64));
  const bool upper = call.op()->name == "relax.triu";
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    const PrimRef diagonal = m.Sub(at.back(), at[at.size() - 2]);
    const PrimRef kept = upper ? m.Le(k, diagonal) : m.Le(diagonal, k);
    return m.Select(kept, te.At(x, at), m.Const(0, x->dtype));
  })});
}

}  // namespace lathe::ops
