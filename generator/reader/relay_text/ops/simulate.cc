// Imports operators of unfinished quantization, which compute in floats what integers would give,
// and the gradient of a convolution's weights.
#include <limits>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Rounds halves away from zero.
PrimRef HalfAway(ScalarMath& m, PrimRef x) {
  const DType dtype = x->dtype();
  const PrimRef whole = m.Call("floor", {m.Add(m.Call("abs", {x}), m.Const(0.5, dtype))});
  return m.Select(m.Lt(x, m.Const(0, dtype)), m.Neg(whole), whole);
}

// Parameters along an axis, or single ones.
absl::StatusOr<Operand> ChannelValues(OpCall& c, int i, int axis, const Operand& x) {
  const Operand v = c.Arg(i);
  const Dims dims = c.DimsOf(v);
  if (dims.size() > 1) return c.Error() << "scales and zero points have at most 1 dimension";
  if (dims.empty() || OpCall::IntOf(dims[0]) == 1) return c.Reshape(v, {});
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, dims[0], c.DimsOf(x)[static_cast<size_t>(axis)], "each parameter"));
  return AlongAxis(c, v, axis, c.Rank(x));
}

}  // namespace

// The dtype is a number: 1 is int8, 2 uint8, 3 int32; 0 changes nothing.
absl::StatusOr<Operand> ImportQnnSimulated(OpCall& c) {
  const Operand x = c.Arg(0);
  if (!c.TypeOf(x).is_floating()) return c.Error() << "the data has to be of a float dtype";
  LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(1), 0, "the number of the dtype"));
  int axis = 0;
  if (c.Rank(x) > 0) {
    LATHE_ASSIGN_OR_RETURN(axis, c.Axis(c.Int("axis"), c.Rank(x)));
  }
  LATHE_ASSIGN_OR_RETURN(const Operand scale, ChannelValues(c, 2, axis, x));
  LATHE_ASSIGN_OR_RETURN(const Operand zero, ChannelValues(c, 3, axis, x));
  const bool quantizes = c.op() == "qnn.simulated_quantize";
  return c.Elementwise(
      "simulated", {x, c.Arg(1), scale, zero}, [&](ScalarMath& m, const Scalars& v) {
        const DType real = v[0]->dtype();
        const PrimRef shift = m.Cast(v[3], real);
        const auto is = [&](double code) { return m.Eq(v[1], m.Const(code, v[1]->dtype())); };
        if (!quantizes) return m.Select(is(0), v[0], m.Mul(m.Sub(v[0], shift), v[2]));
        const PrimRef value = m.Add(HalfAway(m, m.Div(v[0], v[2])), shift);
        const auto within = [&](double low, double high) {
          return m.Max(m.Min(value, m.Const(high, real)), m.Const(low, real));
        };
        const PrimRef wide =
            within(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
        const PrimRef narrow = m.Select(is(1), within(-128, 127), v[0]);
        return m.Select(is(3), wide, m.Select(is(2), within(0, 255), narrow));
      });
}

// round(clip(x / scale)) * scale; kind 0 changes nothing.
absl::StatusOr<Operand> ImportSimulatedQuantize(OpCall& c) {
  const Operands args = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, args));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "rounding", {"round"}));
  if (!c.Bool("sign")) return c.Error() << "sign is False; True is supported";
  for (size_t i = 1; i < 4; ++i)
    LATHE_RETURN_IF_ERROR(RequireRank(c, args[i], 0, "each parameter"));
  if (c.Int("kind") == 0) return args[0];
  return c.Elementwise("simulated_quantize", args, [](ScalarMath& m, const Scalars& v) {
    const PrimRef scaled = m.Max(m.Min(m.Div(v[0], v[1]), v[3]), v[2]);
    return m.Mul(HalfAway(m, scaled), v[1]);
  });
}

// The gradient of a convolution with respect to its weights, from that of its result.
absl::StatusOr<Operand> ImportConvBackwardWeight(OpCall& c) {
  const Operand grad = c.Arg(0), x = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {grad, x}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "data_layout", {"NCHW"}));
  // The layouts are those of the gradient, the data and the result.
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "kernel_layout", {"NCHW", "OIHW"}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "out_layout", {"", "OIHW"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, grad, 4, "the gradient"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  LATHE_ASSIGN_OR_RETURN(const auto strides, PerSpatialAxis(c, "strides", 2));
  LATHE_ASSIGN_OR_RETURN(const auto dilation, PerSpatialAxis(c, "dilation", 2));
  LATHE_ASSIGN_OR_RETURN(const auto pads, PaddingOf(c, 2));
  const auto kernel = c.OptionalInts("kernel_size");
  const int64_t groups = c.Int("groups");
  const Dims by = c.DimsOf(grad), from = c.DimsOf(x);
  const auto outs = OpCall::IntOf(by[1]), channels = OpCall::IntOf(from[1]);
  if (!kernel || kernel->size() != 2) return c.Error() << "it needs kernel_size";
  if (!outs || !channels) return c.Unsupported() << "numbers of channels that are not constants";
  if (groups < 1 || *outs % groups != 0 || *channels % groups != 0) {
    return c.Error() << "groups that do not divide the channels";
  }
  LATHE_RETURN_IF_ERROR(RequireSize(c, by[0], from[0], "the batch of the gradient"));
  ScalarMath& scalar = c.math();
  const Dims dims = {by[1], scalar.Int(*channels / groups), scalar.Int((*kernel)[0]),
                     scalar.Int((*kernel)[1])};
  const DType dtype = c.TypeOf(x);
  return c.Kernel("conv2d_backward_weight", {grad, x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", dims, {by[0], by[2], by[3]}, te.Sum(dtype),
                     [&](const Indices& at, const Indices& r) {
                       const PrimRef group = m.FloorDiv(at[0], m.Int(*outs / groups));
                       Indices source = {r[0], m.Add(m.Mul(group, dims[1]), at[1])};
                       PrimRef inside = m.ir().Bool(true);
                       for (size_t i = 0; i < 2; ++i) {
                         const PrimRef start =
                             m.Sub(m.Mul(r[1 + i], m.Int(strides[i])), m.Int(pads[i]));
                         source.push_back(m.Add(start, m.Mul(at[2 + i], m.Int(dilation[i]))));
                         inside = m.And(inside, m.InRange(source.back(), m.Int(0), from[2 + i]));
                       }
                       const PrimRef product = m.Mul(te.At(te.Input(0), {r[0], at[0], r[1], r[2]}),
                                                     te.At(te.Input(1), source));
                       return m.IfThenElse(inside, product, m.Const(0, dtype));
                     });
  });
}

}  // namespace lathe::relay
