#include "generator/reader/tflite/ops/inverse_sqrt.h"

#include "generator/reader/tflite/ops/quantized.h"

namespace lathe::tflite {

InverseSqrt EmitInverseSqrt(ops::Statements& s, ScalarMath& m, PrimRef v) {
  const DType wide = DType::Int(64);
  const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
  const auto high = [&](PrimRef a, PrimRef b) { return ops::HighProduct(m, a, b); };
  const auto saturated = [&](PrimRef x, int n) {
    const IntegerRange all = RangeOf(kWhole);
    const PrimRef up = m.Mul(m.Cast(x, wide), m.Int(int64_t{1} << n));
    return ops::ClippedTo(m, up, all.low, all.high, kWhole);
  };
  const PrimRef big = m.Le(number(1 << 29), v);
  const PrimRef inner = s.Let(
      "inner", m.Max(m.Select(big, m.Binary(ir::BinaryOp::kShr, v, number(2)), v), number(1)));
  const PrimRef leading = m.Sub(m.Call("clz", {inner}), number(1));
  const PrimRef pairs =
      s.Let("pairs", m.Sub(m.Binary(ir::BinaryOp::kShr, leading, number(1)), number(1)));
  const PrimRef n = m.Sub(m.Select(big, number(12), number(11)), pairs);
  const PrimRef up = m.Cast(m.Mul(m.Max(pairs, number(0)), number(2)), wide);
  const PrimRef lifted = m.Mul(m.Cast(inner, wide), m.Binary(ir::BinaryOp::kShl, m.Int(1), up));
  const PrimRef quarter = s.Let(
      "quarter",
      ops::RoundedShift(m, m.Cast(m.Binary(ir::BinaryOp::kShr, lifted, m.Int(1)), kWhole), 1));
  PrimRef x = number(1 << 28);
  for (int i = 0; i < 5; ++i) {
    const PrimRef cube = s.Let("cube", saturated(high(high(x, x), x), 6));
    const PrimRef step = m.Sub(high(number((1 << 28) + (1 << 27)), x), high(quarter, cube));
    x = s.Let("x", saturated(step, 3));
  }
  x = high(x, number(1518500250));
  // A negative exponent moves into the mantissa.
  const PrimRef down = s.Let("down", n);
  const PrimRef more = m.Cast(m.Max(m.Neg(down), number(0)), wide);
  const PrimRef mantissa =
      m.Cast(m.Mul(m.Cast(x, wide), m.Binary(ir::BinaryOp::kShl, m.Int(1), more)), kWhole);
  const PrimRef least = m.Le(v, number(1));
  return {m.Select(least, number(2147483647), mantissa),
          m.Select(least, number(0), m.Neg(m.Max(down, number(0))))};
}

}  // namespace lathe::tflite
