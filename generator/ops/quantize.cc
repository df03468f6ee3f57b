// Implements quantize and dequantize. Scale and zero point are scalars, or have one element per
// position along an axis.
#include <algorithm>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

bool IsSmallFloat(DType t) {
  return t.code == ir::TypeCode::kFloat8E4M3Fn || t.code == ir::TypeCode::kFloat8E5M2;
}

double LargestQuantized(DType dtype) {
  if (dtype == DType::Float(16)) return 65504;
  return dtype.code == ir::TypeCode::kFloat8E4M3Fn ? 448 : 57344;
}

absl::Status NeedDType(InferContext& c, const Call& call, int i, DType dtype, bool allowed) {
  if (allowed) return absl::OkStatus();
  return c.Error("op-argument-dtype") << DescribeArg(c, call, i) << " has dtype " << ToString(dtype)
                                      << ", which " << SurfaceName(call) << " does not support";
}

bool IsSingle(const TensorInfo& x) {
  if (x.ndim == 0) return true;
  if (x.dims() == nullptr) return false;
  return std::all_of(x.dims()->begin(), x.dims()->end(), [](PrimRef dim) {
    const int64_t* known = AsInt(dim);
    return known != nullptr && *known == 1;
  });
}

}  // namespace

Result InferQuantize(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const bool up = call.op()->name == "relax.dequantize";
  const DType out = FindDType(call, "out_dtype");
  const bool real = out == DType::Float(16) || out == DType::Float(32);
  const bool integer = out.is_integer() && (out.bits == 8 || out.bits == 16);
  if (up ? !real : !integer && !IsSmallFloat(out)) {
    return c.Error("op-attribute")
           << "'out_dtype' of " << SurfaceName(call) << " cannot be " << ToString(out);
  }
  for (const TensorInfo* t : x) {
    if (t->dtype.is_void()) return WithDType(c.ir(), *x[0], DType::Void());
  }
  const DType d = x[0]->dtype;
  const bool halves = d == DType::Float(16) || d == DType::Float(32);
  const bool stored = (d.is_integer() && d.bits <= 16) || d == DType::Int(32) || IsSmallFloat(d);
  LATHE_RETURN_IF_ERROR(NeedDType(c, call, 0, d, halves || (up && stored)));
  const DType s = x[1]->dtype, z = x[2]->dtype;
  LATHE_RETURN_IF_ERROR(NeedDType(c, call, 1, s, s == DType::Float(16) || s == DType::Float(32)));
  LATHE_RETURN_IF_ERROR(
      NeedDType(c, call, 2, z, (z.is_integer() && z.bits <= 32) || z == DType::Float(16)));
  if (x[0]->ndim == ir::kUnknownRank) return WithDType(c.ir(), *x[0], out);
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  // A scalar has no axis to choose.
  if (x[0]->ndim == 0 && IsSingle(*x[1]) && IsSingle(*x[2])) return WithDType(c.ir(), *x[0], out);
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, x[0]->ndim));
  for (int i : {1, 2}) {
    if (IsSingle(*x[i]) || x[i]->dims() == nullptr || x[0]->dims() == nullptr) continue;
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], 1));
    PrimRef wanted = (*x[0]->dims())[axis], got = x[i]->dims()->front();
    if (!c.CanEqualOrBeOne(got, wanted)) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, i) << " must have the size of axis " << axis
             << " of the data: " << ToString(wanted) << ", got " << ToString(got);
    }
  }
  return WithDType(c.ir(), *x[0], out);
}

absl::StatusOr<ir::PrimFunc> ComputeQuantize(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const int axis = ndim == 0 ? 0 : FromFront(IntAttr(call, "axis"), ndim);
  const DType out = te.result_dtype(), real = DType::Float(32);
  const bool up = call.op()->name == "relax.dequantize";
  const auto parameter = [&](int i, const Indices& at) {
    ir::BufferRef p = te.Input(i);
    const Indices first(p->shape.size(), m.Int(0));
    const bool each = first.size() == 1 && ndim > 0;
    return each ? te.AtBroadcast(p, {at[axis]}, {x->shape[axis]}) : te.At(p, first);
  };
  // The difference of integers may exceed float32's precision, so it is computed exactly.
  const auto difference = [&](PrimRef value, PrimRef zero) {
    const DType wide =
        value->dtype().is_floating() || zero->dtype().is_floating() ? real : DType::Int(32);
    return m.Cast(m.Sub(m.Cast(value, wide), m.Cast(zero, wide)), real);
  };
  // Values outside the range of a format saturate.
  const auto saturated = [&](PrimRef value) {
    const PrimRef low =
        out.is_floating() ? m.Const(-LargestQuantized(out), real) : m.Cast(m.Lowest(out), real);
    const PrimRef high =
        out.is_floating() ? m.Const(LargestQuantized(out), real) : m.Cast(m.Highest(out), real);
    return m.Cast(m.Min(m.Max(value, low), high), out);
  };
  return te.Finish({te.Compute("out", x->shape, out, [&](const Indices& at) {
    if (up) {
      const PrimRef offset = difference(te.At(x, at), parameter(2, at));
      const PrimRef scaled = m.Mul(offset, m.Cast(parameter(1, at), real));
      return out == real ? scaled : saturated(scaled);
    }
    PrimRef scaled = m.Div(m.Cast(te.At(x, at), real), m.Cast(parameter(1, at), real));
    if (!out.is_floating()) scaled = m.Call("nearbyint", {scaled});
    return saturated(m.Add(scaled, m.Cast(parameter(2, at), real)));
  })});
}

}  // namespace lathe::ops
