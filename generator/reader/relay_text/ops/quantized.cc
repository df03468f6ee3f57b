// Imports operators of quantized tensors whose parameters differ between operands and result.
#include <cmath>
#include <limits>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/pool.h"
#include "generator/reader/relay_text/ops/requantize.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

const DType kSumDType = DType::Int(32);

// The operand in int32 with the parameters of the result.
Operand WithParametersOf(OpCall& c, const Operand& x, const QuantizedAs& from,
                         const QuantizedAs& to, int axis) {
  if (SameQuantization(c, from, to)) return c.Cast(x, kSumDType);
  RequantizeOptions options;
  options.axis = axis;
  return Requantized(c, x, from, to, options);
}

Operand LessZero(OpCall& c, const Operand& x, const Operand& zero) {
  return c.Op("relax.subtract", {c.Cast(x, kSumDType), c.Reshape(zero, {})});
}

absl::StatusOr<Operand> QuantizedProduct(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs a, QuantizedArgs(c, 2, 3, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs b, QuantizedArgs(c, 4, 5, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 6, 7, nullptr));
  const Operands factors =
      BroadcastTogether(c, {LessZero(c, c.Arg(0), a.zero), LessZero(c, c.Arg(1), b.zero)});
  const float scale = static_cast<float>(a.scale[0]) * static_cast<float>(b.scale[0]);
  RequantizeOptions options;
  options.out_dtype = c.TypeOf(c.Arg(0));
  return Requantized(c, c.Op("relax.multiply", factors), {{scale}, c.Number(0, kSumDType)}, to,
                     options);
}

}  // namespace

absl::StatusOr<Operand> ImportQnnBinary(OpCall& c) {
  const Operand x = c.Arg(0), y = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, y}));
  if (!c.TypeOf(x).is_integer()) return c.Error() << "its operands have to be integers";
  if (c.op() == "qnn.mul") return QuantizedProduct(c);
  std::vector<Operand> sides;
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 6, 7, nullptr));
  for (int i = 0; i < 2; ++i) {
    const Operand side = c.Arg(i);
    int axis = 0;
    PrimRef channels = nullptr;
    if (c.Rank(side) > 0) {
      LATHE_ASSIGN_OR_RETURN(axis, c.Axis(c.Int(i == 0 ? "lhs_axis" : "rhs_axis"), c.Rank(side)));
      channels = c.DimsOf(side)[static_cast<size_t>(axis)];
    }
    LATHE_ASSIGN_OR_RETURN(const QuantizedAs from,
                           QuantizedArgs(c, 2 + 2 * i, 3 + 2 * i, channels));
    sides.push_back(WithParametersOf(c, side, from, to, axis));
  }
  const bool add = c.op() == "qnn.add";
  const Operands pair = BroadcastTogether(c, sides);
  const DType dtype = c.TypeOf(x);
  return c.Elementwise(
      c.op() == "qnn.add" ? "qnn_add" : "qnn_subtract", {pair[0], pair[1], c.Reshape(to.zero, {})},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef value = add ? m.Sub(m.Add(v[0], v[1]), v[2]) : m.Add(m.Sub(v[0], v[1]), v[2]);
        return SaturatedTo(m, value, dtype);
      },
      dtype);
}

absl::StatusOr<Operand> ImportQnnConcatenate(OpCall& c) {
  const Operands fields = c.Fields(0), scales = c.Fields(1), zeros = c.Fields(2);
  LATHE_RETURN_IF_ERROR(c.status());
  if (fields.empty() || scales.size() != fields.size() || zeros.size() != fields.size()) {
    return c.Error() << "the tuples differ in length";
  }
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, fields));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(fields[0])));
  const DType dtype = c.TypeOf(fields[0]);
  Operands parts;
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto scale = KnownNumber(c, scales[i]);
    if (!scale) return c.Unsupported() << "scales that are not constants";
    const QuantizedAs from = {{*scale}, zeros[i]};
    RequantizeOptions options;
    options.out_dtype = dtype;
    parts.push_back(SameQuantization(c, from, to) ? fields[i]
                                                  : Requantized(c, fields[i], from, to, options));
  }
  return OfTuple(c, "relax.concat", std::move(parts), Axis(axis));
}

absl::StatusOr<Operand> ImportQnnAvgPool2d(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs from, QuantizedArgs(c, 1, 2, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const Operand mean,
                         Pooled(c, WithParametersOf(c, x, from, to, 0), /*average=*/true));
  return Saturated(c, mean, c.TypeOf(x));
}

absl::StatusOr<Operand> ImportQnnLeakyRelu(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs from, QuantizedArgs(c, 1, 2, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  const double alpha = c.Float("alpha");
  const FixedPoint slope = FixedPointOf(alpha), rest = FixedPointOf(1 - alpha);
  const DType dtype = c.TypeOf(x);
  const Operand rescaled = WithParametersOf(c, x, from, to, 0);
  return c.Elementwise(
      "qnn_leaky_relu", {rescaled, c.Reshape(from.zero, {}), c.Reshape(to.zero, {}), x},
      [&](ScalarMath& m, const Scalars& v) {
        const DType wide = DType::Int(64);
        const PrimRef low = m.Add(MultiplyFixed(m, v[0], slope), MultiplyFixed(m, v[2], rest));
        return SaturatedTo(
            m, m.Select(m.Lt(m.Cast(v[3], kSumDType), v[1]), low, m.Cast(v[0], wide)), dtype);
      },
      dtype);
}

namespace {

float RealFunction(absl::string_view op, float x) {
  if (op == "qnn.tanh") return std::tanh(x);
  if (op == "qnn.exp") return std::exp(x);
  if (op == "qnn.sqrt") return std::sqrt(x);
  if (op == "qnn.rsqrt") return 1 / std::sqrt(x);
  if (op == "qnn.erf") return std::erf(x);
  if (op == "qnn.sigmoid") return 1 / (1 + std::exp(-x));
  if (op == "qnn.log") return std::log(x);
  if (op == "qnn.abs") return std::fabs(x);
  return x * std::fmin(std::fmax(x + 3, 0.0F), 6.0F) / 6;  // hardswish
}

}  // namespace

// quantize(f(dequantize(x))), as a table of all values of x.
absl::StatusOr<Operand> ImportQnnTable(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs from, QuantizedArgs(c, 1, 2, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  if (!dtype.is_integer() || dtype.bits != 8) {
    return c.Unsupported() << "data of dtype " << ir::ToString(dtype) << "; int8 and uint8 are";
  }
  const auto zero = KnownZero(c, from.zero), zero_out = KnownZero(c, to.zero);
  if (!zero || !zero_out) return c.Unsupported() << "zero points that are not constants";
  const int lowest = dtype.is_int() ? -128 : 0, highest = lowest + 255;
  std::vector<double> table;
  for (int q = lowest; q <= highest; ++q) {
    const float real = static_cast<float>(q - *zero) * static_cast<float>(from.scale[0]);
    const float scaled = RealFunction(c.op(), real) / static_cast<float>(to.scale[0]);
    // A NaN becomes the highest value, as clip has it.
    const double rounded =
        std::isnan(scaled) ? highest : std::round(scaled) + static_cast<double>(*zero_out);
    table.push_back(std::fmin(std::fmax(rounded, lowest), highest));
  }
  const Operand values = c.builder().Constant(dtype, {256}, table);
  return c.Kernel("qnn_table", {x, values}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), dtype, [&](const Indices& at) {
      const PrimRef q = m.Cast(te.At(te.Input(0), at), DType::Int(64));
      return te.At(te.Input(1), {m.Sub(q, m.Int(lowest))});
    });
  });
}

}  // namespace lathe::relay
