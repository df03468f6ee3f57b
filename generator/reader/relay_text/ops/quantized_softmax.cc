// Imports qnn.softmax: exponentials to the base 2 by shifts, in int32.
#include <cmath>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/requantize.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

const DType kWhole = DType::Int(32);

PrimRef ShiftedRight(ScalarMath& m, PrimRef x, int by) {
  return m.Binary(ir::BinaryOp::kShr, x, m.Const(by, kWhole));
}

}  // namespace

// With the distance x from the maximum and n = 1 / scale: x * log2(e) is x + x / 2 - x / 16, its
// whole part in steps of n is q, and 2 ^ -rest is n - rest / 2, shifted left by max(q) - q.
absl::StatusOr<Operand> ImportQnnSoftmax(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs from, QuantizedArgs(c, 1, 2, nullptr));
  LATHE_ASSIGN_OR_RETURN(const QuantizedAs to, QuantizedArgs(c, 3, 4, nullptr));
  if (dtype != DType::Int(8)) return c.Error() << "the data has to be of dtype int8";
  if (from.scale[0] > 1) return c.Error() << "a scale above 1";
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const ir::AttrMap along = {{"axis", ListOf(std::vector{axis})}, {"keepdims", true}};
  const double steps = std::round(1.0F / static_cast<float>(from.scale[0]));
  const Operand data = c.Op("relax.subtract", {c.Cast(x, kWhole), c.Reshape(from.zero, {})});
  const Operand most = c.Op("relax.max", {data}, along);
  const auto in_log2 = [&](ScalarMath& m, const Scalars& v) {
    const PrimRef below = m.Sub(v[0], v[1]);
    return m.Sub(m.Add(below, ShiftedRight(m, below, 1)), ShiftedRight(m, below, 4));
  };
  constexpr double kMostShift = 20;
  const Operand shift = c.Elementwise("shift", {data, most}, [&](ScalarMath& m, const Scalars& v) {
    const PrimRef q = m.Div(in_log2(m, v), m.Const(-steps, kWhole));
    return m.Max(m.Min(q, m.Const(kMostShift, kWhole)), m.Const(0, kWhole));
  });
  const Operand most_shift = c.Op("relax.max", {shift}, along);
  const Operand powers = c.Elementwise(
      "powers", {data, most, shift, most_shift}, [&](ScalarMath& m, const Scalars& v) {
        const PrimRef rest = m.Sub(in_log2(m, v), m.Mul(v[2], m.Const(-steps, kWhole)));
        const PrimRef mantissa = m.Add(ShiftedRight(m, rest, 1), m.Const(steps, kWhole));
        return m.Binary(ir::BinaryOp::kShl, mantissa, m.Sub(v[3], v[2]));
      });
  const Operand sum = c.Op("relax.sum", {powers}, along);
  const Operand shares =
      c.Elementwise("shares", {powers, sum}, [](ScalarMath& m, const Scalars& v) {
        const PrimRef inverse = m.Div(m.Const(1 << 30, kWhole), v[1]);
        return ShiftedRight(m, m.Mul(inverse, v[0]), 23);
      });
  RequantizeOptions options;
  options.out_dtype = dtype;
  return Requantized(c, shares, {{1.0 / 128}, c.Number(0, kWhole)}, to, options);
}

}  // namespace lathe::relay
