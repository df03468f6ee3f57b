// Implements requantize, which converts the integer sums of a quantized operator to the integers of
// its result:
//
//   clip(data * multiplier / 2^31 * 2^shift + zero_point, low, high)
//
// `rounding` is 'twice' for int32 sums (fixed_point_math.h: ScaledTwice) and 'once' for int64 sums
// (ScaledOnce). Multiplier and shift are single, or have one element per position along the axis.
#include <string>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/fixed_point_math.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

absl::Status CheckFactor(InferContext& c, const Call& call, int i, const TensorInfo& factor,
                         const TensorInfo& data, int axis) {
  if (!factor.dtype.is_void() && factor.dtype != DType::Int(32)) {
    return c.Error("op-argument-dtype") << DescribeArg(c, call, i) << " has dtype "
                                        << ToString(factor.dtype) << "; int32 is supported";
  }
  if (factor.ndim == 0 || factor.dims() == nullptr || data.dims() == nullptr) {
    return absl::OkStatus();
  }
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, factor, 1));
  const PrimRef wanted = (*data.dims())[static_cast<size_t>(axis)], got = factor.dims()->front();
  if (c.CanEqualOrBeOne(got, wanted)) return absl::OkStatus();
  return c.Error("op-argument-shape")
         << DescribeArg(c, call, i) << " must have the size of axis " << axis
         << " of the data: " << ToString(wanted) << ", got " << ToString(got);
}

}  // namespace

Result InferRequantize(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const DType out = FindDType(call, "out_dtype");
  if (!out.is_integer() || out.bits > 32) {
    return c.Error("op-attribute")
           << "'out_dtype' of " << SurfaceName(call) << " cannot be " << ToString(out)
           << "; integers of at most 32 bits are supported";
  }
  const std::string rounding(FindString(call, "rounding"));
  if (rounding != "twice" && rounding != "once") {
    return c.Error("op-attribute") << "'rounding' of " << SurfaceName(call)
                                   << " must be 'twice' or 'once', got '" << rounding << "'";
  }
  const DType sums = rounding == "twice" ? DType::Int(32) : DType::Int(64);
  if (!x[0]->dtype.is_void() && x[0]->dtype != sums) {
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, 0) << " has dtype " << ToString(x[0]->dtype) << "; rounding '"
           << rounding << "' needs " << ToString(sums);
  }
  if (x[0]->ndim == ir::kUnknownRank || x[0]->ndim == 0) return WithDType(c.ir(), *x[0], out);
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, x[0]->ndim));
  for (int i : {1, 2}) LATHE_RETURN_IF_ERROR(CheckFactor(c, call, i, *x[i], *x[0], axis));
  return WithDType(c.ir(), *x[0], out);
}

absl::StatusOr<ir::PrimFunc> ComputeRequantize(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const auto axis = static_cast<size_t>(ndim == 0 ? 0 : FromFront(IntAttr(call, "axis"), ndim));
  const auto factor = [&](int i, const Indices& at) {
    const ir::BufferRef p = te.Input(i);
    if (p->shape.empty() || ndim == 0) return te.At(p, Indices(p->shape.size(), m.Int(0)));
    return te.AtBroadcast(p, {at[axis]}, {x->shape[axis]});
  };
  const bool twice = FindString(call, "rounding") == "twice";
  return te.Finish({te.Compute("out", x->shape, te.result_dtype(), [&](const Indices& at) {
    const PrimRef value = te.At(x, at), by = factor(1, at), shift = factor(2, at);
    const PrimRef scaled =
        twice ? ScaledTwice(m, value, by, shift) : ScaledOnce(m, value, by, shift);
    // Clips first: the sum of any int32 and a zero point might overflow.
    const int64_t zero = IntAttr(call, "zero_point");
    const PrimRef clipped = ClippedTo(m, scaled, IntAttr(call, "low") - zero,
                                      IntAttr(call, "high") - zero, scaled->dtype());
    return m.Cast(m.Add(clipped, m.ir().Int(zero, scaled->dtype())), te.result_dtype());
  })});
}

}  // namespace lathe::ops
