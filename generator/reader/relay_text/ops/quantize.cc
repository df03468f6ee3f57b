// Imports qnn.quantize, qnn.dequantize, qnn.requantize and the fixed-point products.
#include <algorithm>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/requantize.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// The axis of the parameters per channel.
absl::StatusOr<int> ChannelAxis(OpCall& c, const std::string& attribute, const Operand& x) {
  if (c.Rank(x) == 0) return 0;
  return c.Axis(c.Int(attribute), c.Rank(x));
}

PrimRef SizeOfAxis(OpCall& c, const Operand& x, int axis) {
  const Dims dims = c.DimsOf(x);
  return dims.empty() ? nullptr : dims[static_cast<size_t>(axis)];
}

// A parameter, broadcast along `axis`.
Operand SpreadAlong(OpCall& c, const Operand& v, int axis, int rank) {
  if (c.Rank(v) == 0 || OpCall::IntOf(c.DimsOf(v)[0]) == 1) return c.Reshape(v, {});
  return AlongAxis(c, v, axis, rank);
}

absl::StatusOr<DType> QuantizedDType(OpCall& c) {
  const auto dtype = c.DTypeAttr("out_dtype");
  if (dtype && dtype->is_integer() && dtype->bits <= 32) return *dtype;
  return c.Error() << "out_dtype is '" << c.Str("out_dtype")
                   << "'; supported: integers of at most 32 bits";
}

}  // namespace

// clip(round(x / scale) + zero), halves away from zero.
absl::StatusOr<Operand> ImportQnnQuantize(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const DType dtype, QuantizedDType(c));
  LATHE_ASSIGN_OR_RETURN(const int axis, ChannelAxis(c, "axis", x));
  const PrimRef channels = SizeOfAxis(c, x, axis);
  LATHE_RETURN_IF_ERROR(RequireScales(c, 1, channels));
  LATHE_RETURN_IF_ERROR(RequireZeros(c, 2, channels));
  if (!c.TypeOf(x).is_floating()) return c.Error() << "the data has to be of a float dtype";
  const int rank = c.Rank(x);
  return c.Elementwise(
      "quantize", {x, SpreadAlong(c, c.Arg(1), axis, rank), SpreadAlong(c, c.Arg(2), axis, rank)},
      [&](ScalarMath& m, const Scalars& v) {
        const DType real = DType::Float(32), wide = DType::Int(64);
        const PrimRef scaled = m.Div(m.Cast(v[0], real), v[1]);
        const PrimRef whole = m.Call("trunc", {scaled});
        const PrimRef half = m.Le(m.Const(0.5, real), m.Call("abs", {m.Sub(scaled, whole)}));
        const PrimRef one =
            m.Select(m.Lt(scaled, m.Const(0, real)), m.Const(-1, real), m.Const(1, real));
        const PrimRef rounded = m.Select(half, m.Add(whole, one), whole);
        // The clamp keeps the cast in range; beyond it every dtype is saturated.
        const PrimRef limit = m.Const(1e12, real);
        const PrimRef q = m.Cast(m.Max(m.Min(rounded, limit), m.Neg(limit)), wide);
        return SaturatedTo(m, m.Add(q, m.Cast(v[2], wide)), dtype);
      },
      dtype);
}

// (q - zero) * scale
absl::StatusOr<Operand> ImportQnnDequantize(OpCall& c) {
  const Operand q = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, ChannelAxis(c, "axis", q));
  const PrimRef channels = SizeOfAxis(c, q, axis);
  LATHE_RETURN_IF_ERROR(RequireScales(c, 1, channels));
  LATHE_RETURN_IF_ERROR(RequireZeros(c, 2, channels));
  const DType from = c.TypeOf(q), out = c.DTypeAttr("out_dtype").value_or(DType::Float(32));
  if (!from.is_integer()) return c.Error() << "the data has to be of an integer dtype";
  if (!out.is_floating()) return c.Error() << "out_dtype has to be of a float dtype";
  const int rank = c.Rank(q);
  return c.Elementwise(
      "dequantize", {q, SpreadAlong(c, c.Arg(1), axis, rank), SpreadAlong(c, c.Arg(2), axis, rank)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef value = m.Sub(m.Cast(v[0], DType::Int(32)), v[2]);
        return m.Cast(m.Mul(m.Cast(value, DType::Float(32)), v[1]), out);
      },
      out);
}

absl::StatusOr<Operand> ImportQnnRequantize(OpCall& c) {
  const Operand q = c.Arg(0);
  RequantizeOptions options;
  LATHE_ASSIGN_OR_RETURN(options.out_dtype, QuantizedDType(c));
  LATHE_ASSIGN_OR_RETURN(options.axis, ChannelAxis(c, "axis", q));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "rounding", {"None", "UPWARD", "TONEAREST"}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "compute_dtype", {"None", "int64", "float32", "float64"}));
  if (c.Str("rounding") != "None") options.rounding = c.Str("rounding");
  if (c.Str("compute_dtype") != "None") options.compute_dtype = c.Str("compute_dtype");
  if (!c.TypeOf(q).is_integer()) return c.Error() << "the data has to be of an integer dtype";
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs from,
                         QuantizedArgs(c, 1, 2, SizeOfAxis(c, q, options.axis)));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  return Requantized(c, q, from, to, options);
}

absl::StatusOr<Operand> ImportFixedPointMultiply(OpCall& c) {
  const Operand x = c.Arg(0);
  const FixedPoint by = {c.Int("multiplier"), static_cast<int>(c.Int("shift"))};
  constexpr int64_t kMostShift = 62;
  if (c.Int("shift") < -kMostShift || c.Int("shift") > kMostShift) {
    return c.Error() << "a shift of " << c.Int("shift");
  }
  const DType dtype = c.TypeOf(x);
  if (!dtype.is_integer()) return c.Error() << "the data has to be of an integer dtype";
  return c.Elementwise("fixed_point_multiply", {x}, [&](ScalarMath& m, const Scalars& v) {
    return m.Cast(MultiplyFixed(m, v[0], by), dtype);
  });
}

// Multipliers and shifts are tensors with a value per element of `axes`.
absl::StatusOr<Operand> ImportFixedPointMultiplyPerAxis(OpCall& c) {
  const Operands args = c.AllArgs();
  const DType dtype = c.TypeOf(args[0]), wide = DType::Int(64);
  const Dims dims = c.DimsOf(args[0]);
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, c.Axes(c.Ints("axes"), c.Rank(args[0])));
  for (size_t i = 1; i < 4; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, args[i], static_cast<int>(axes.size()), "each parameter"));
  }
  const bool left = c.Bool("is_lshift_required");
  return c.Kernel("fixed_point_multiply", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices place;
      for (const int axis : axes) place.push_back(at[static_cast<size_t>(axis)]);
      const auto parameter = [&](int i) { return m.Cast(te.At(te.Input(i), place), wide); };
      PrimRef value = m.Cast(te.At(te.Input(0), at), wide);
      if (left) value = m.Binary(ir::BinaryOp::kShl, value, parameter(2));
      const PrimRef down = m.Add(m.Int(31), parameter(3));
      const PrimRef half = m.Binary(ir::BinaryOp::kShl, m.Int(1), m.Sub(down, m.Int(1)));
      const PrimRef product = m.Add(m.Mul(value, parameter(1)), half);
      return m.Cast(m.Binary(ir::BinaryOp::kShr, product, down), dtype);
    });
  });
}

}  // namespace lathe::relay
