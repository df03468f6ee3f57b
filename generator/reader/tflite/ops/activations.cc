// Imports elementwise operators of one tensor. Operators of int8 and uint8 become tables of 256
// entries, which are computed here by the fixed-point definitions.
#include <algorithm>
#include <cmath>
#include <functional>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ops::FixedFactor;
using ops::FixedFactorOf;
using ops::ScaledTwice;

bool IsByteOperator(OpCall& c) {
  const DType dtype = c.TypeOf(c.Arg(0));
  return dtype.is_integer() && dtype.bits == 8 && c.IsQuantized(0);
}
bool IsInt16Operator(OpCall& c) { return c.TypeOf(c.Arg(0)) == DType::Int(16) && c.IsQuantized(0); }

absl::Status RequireScaledPair(OpCall& c) {
  if (c.In(0).type != c.Out().type) {
    return c.Error() << "its input is " << TypeName(c.In(0).type) << ", and its result is "
                     << TypeName(c.Out().type);
  }
  if (!(c.InAffine(0).scale > 0) || !(c.OutAffine().scale > 0)) {
    return c.Error() << "a scale is not positive";
  }
  return absl::OkStatus();
}

// A table of the integers that `value` gives for the integers of the input.
absl::StatusOr<Results> Tabulated(OpCall& c, const std::function<int64_t(int32_t q)>& value) {
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const IntegerRange range = RangeOf(dtype);
  std::vector<double> values;
  bool same = true;
  for (int64_t q = range.low; q <= range.high; ++q) {
    const int64_t made = std::clamp(value(static_cast<int32_t>(q)), range.low, range.high);
    values.push_back(static_cast<double>(made));
    same = same && made == q;
  }
  if (same) return x;
  return LookedUp(c, x, values);
}

// The same for int16, as an expression of q - zero, whose result is clipped.
absl::StatusOr<Results> PerElement(OpCall& c, absl::string_view name,
                                   const std::function<PrimRef(ScalarMath&, PrimRef)>& value,
                                   const IntegerRange& range) {
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Affine in = c.InAffine(0);
  const int64_t zero = c.OutAffine().zero;
  return c.Elementwise(
      name, {c.Arg(0)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef made = value(m, SubtractZeroPoint(m, v[0], in.zero));
        const PrimRef clipped =
            ops::ClippedTo(m, made, range.low - zero, range.high - zero, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(zero, kWhole)), c.OutType());
      },
      c.OutType());
}

// -(|x| * factor), or |x| * factor, of a negative x.
int32_t SlopedOf(int32_t x, const FixedFactor& by, bool negative) {
  return negative ? ScaledTwiceOf(-x, by) : ScaledTwiceOf(x, by);
}
PrimRef Sloped(ScalarMath& m, PrimRef x, const FixedFactor& by, bool negative) {
  return ScaledTwice(m, negative ? m.Neg(x) : x, by);
}

double FactorOf(OpCall& c) { return c.InAffine(0).scale / c.OutAffine().scale; }

absl::StatusOr<Results> FloatOnly(OpCall& c, const std::function<Results(const Operand&)>& make) {
  const DType dtype = c.TypeOf(c.Arg(0));
  if (dtype.is_floating()) return make(c.Arg(0));
  return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type);
}

}  // namespace

absl::StatusOr<Results> ImportRelu(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const FixedFactor by = FixedFactorOf(FactorOf(c));
  if (IsByteOperator(c)) {
    return Tabulated(c, [&](int32_t q) {
      return std::max(out.zero, out.zero + ScaledTwiceOf(q - static_cast<int32_t>(in.zero), by));
    });
  }
  if (IsInt16Operator(c)) {
    return PerElement(c, "relu", [&](ScalarMath& m, PrimRef x) { return ScaledTwice(m, x, by); },
                      {std::max<int64_t>(out.zero, -32768), 32767});
  }
  return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.nn.relu", {x}); });
}

namespace {

// Integers are clipped as they are, without a change of scale.
absl::StatusOr<Results> ClippedReal(OpCall& c, double low, double high) {
  if (c.TypeOf(c.Arg(0)).is_floating()) {
    const DType dtype = c.TypeOf(c.Arg(0));
    return c.Op("relax.clip", {c.Arg(0),
                               {ir::PrimValue{c.math().Const(low, dtype)}},
                               {ir::PrimValue{c.math().Const(high, dtype)}}});
  }
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Affine in = c.InAffine(0);
  const auto quantized = [&](double real) {
    const float units = std::round(static_cast<float>(real) / static_cast<float>(in.scale));
    return in.zero + static_cast<int64_t>(std::clamp(units, -1e6F, 1e6F));
  };
  const IntegerRange all = RangeOf(c.OutType());
  return ClippedIntegers(c, c.Arg(0),
                         {std::max(all.low, quantized(low)), std::min(all.high, quantized(high))});
}

}  // namespace

absl::StatusOr<Results> ImportRelu6(OpCall& c) { return ClippedReal(c, 0, 6); }
absl::StatusOr<Results> ImportReluN1To1(OpCall& c) { return ClippedReal(c, -1, 1); }
absl::StatusOr<Results> ImportRelu0To1(OpCall& c) { return ClippedReal(c, 0, 1); }

absl::StatusOr<Results> ImportLeakyRelu(OpCall& c) {
  const double alpha = c.Float("alpha");
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const FixedFactor same = FixedFactorOf(FactorOf(c));
  const FixedFactor slope = FixedFactorOf(
      std::fabs(in.scale * static_cast<double>(static_cast<float>(alpha)) / out.scale));
  const bool negative = alpha < 0;
  if (IsByteOperator(c)) {
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const int32_t x = q - static_cast<int32_t>(in.zero);
      if (x >= 0) return out.zero + ScaledTwiceOf(x, same);
      return out.zero + SlopedOf(x, slope, negative);
    });
  }
  if (IsInt16Operator(c)) {
    return PerElement(
        c, "leaky_relu",
        [&](ScalarMath& m, PrimRef x) {
          const PrimRef below = Sloped(m, x, slope, negative);
          return m.Select(m.Lt(x, m.ir().Int(0, kWhole)), below, ScaledTwice(m, x, same));
        },
        RangeOf(DType::Int(16)));
  }
  return FloatOnly(c, [&](const Operand& x) {
    return c.Op("relax.nn.leakyrelu", {x}, {{"alpha", alpha}});
  });
}

absl::StatusOr<Results> ImportAbs(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const bool equal = in.scale == out.scale;
  const FixedFactor by = FixedFactorOf(FactorOf(c));
  if (IsByteOperator(c)) {
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const int32_t x = std::abs(q - static_cast<int32_t>(in.zero));
      return out.zero + (equal ? x : ScaledTwiceOf(x, by));
    });
  }
  if (IsInt16Operator(c)) {
    return PerElement(
        c, "abs",
        [&](ScalarMath& m, PrimRef x) {
          const PrimRef size = m.Max(x, m.Neg(x));
          return equal ? size : ScaledTwice(m, size, by);
        },
        RangeOf(DType::Int(16)));
  }
  return c.Op("relax.abs", {c.Arg(0)});
}

absl::StatusOr<Results> ImportHardSwish(OpCall& c) {
  if (!IsByteOperator(c)) {
    return FloatOnly(c, [&](const Operand& x) {
      return c.Elementwise("hard_swish", {x}, [](ScalarMath& m, const Scalars& v) {
        const DType d = v[0]->dtype();
        const PrimRef gate = m.Min(m.Max(m.Add(v[0], m.Const(3, d)), m.Const(0, d)), m.Const(6, d));
        return m.Div(m.Mul(v[0], gate), m.Const(6, d));
      });
    });
  }
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const HardSwish f(in.scale, out.scale);
  if (f.output_shift() > 0) {
    return c.Unsupported() << "HARD_SWISH with a result scale less than 1/128 of that of its input";
  }
  return Tabulated(
      c, [&](int32_t q) -> int64_t { return out.zero + f.Of(q - static_cast<int32_t>(in.zero)); });
}

absl::StatusOr<Results> ImportRsqrt(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  if (IsByteOperator(c)) {
    constexpr int kShift = 20;
    const FixedFactor by = FixedFactorOf(1.0 / (std::sqrt(in.scale) * out.scale));
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const int32_t x = q - static_cast<int32_t>(in.zero);
      if (x <= 0) return 127;  // TFLM stops at negative values
      const FixedFactor inverse = InverseSqrtOf(x);
      const int32_t value = ScaledTwiceOf(1, {inverse.mantissa, inverse.shift + kShift});
      return out.zero + ScaledTwiceOf(value, {by.mantissa, by.shift - kShift});
    });
  }
  return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.rsqrt", {x}); });
}

namespace {

// quantize(f(dequantize(q))) in float32.
absl::StatusOr<Results> RealTable(OpCall& c, float (*f)(float), absl::string_view op,
                                  float (*rounded)(float) = std::round) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  if (IsByteOperator(c)) {
    const float inverse = 1.0F / static_cast<float>(out.scale);
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const float real = static_cast<float>(in.scale) * static_cast<float>(q - in.zero);
      const float scaled = rounded(f(real) * inverse);
      if (std::isnan(scaled)) return out.zero;
      return static_cast<int64_t>(
          std::clamp(scaled + static_cast<float>(out.zero), -65536.0F, 65536.0F));
    });
  }
  return FloatOnly(c, [&](const Operand& x) { return c.Op(op, {x}); });
}

float Elu(float x) { return x < 0 ? std::expm1(x) : x; }
float Exp(float x) { return std::exp(x); }
float Log(float x) { return std::log(x); }
float Sqrt(float x) { return std::sqrt(x); }

// GELU as LiteRT computes it, in float32.
constexpr float kTanhFactor = 0.797884583F, kTanhCubic = 0.044715F, kErfFactor = -0.707106769F;
float Gelu(float x) { return 0.5F * x * std::erfc(x * kErfFactor); }
float GeluTanh(float x) {
  return 0.5F * x * (1 + std::tanh(kTanhFactor * (x + kTanhCubic * x * x * x)));
}
Operand FloatGelu(OpCall& c, const Operand& x, bool tanh) {
  return c.Elementwise("gelu", {x}, [&](ScalarMath& m, const Scalars& v) {
    const DType d = v[0]->dtype();
    const PrimRef half = m.Mul(m.Const(0.5, d), v[0]);
    if (!tanh) return m.Mul(half, m.Call("erfc", {m.Mul(v[0], m.Const(kErfFactor, d))}));
    const PrimRef cube = m.Mul(m.Mul(m.Mul(m.Const(kTanhCubic, d), v[0]), v[0]), v[0]);
    const PrimRef bent = m.Call("tanh", {m.Mul(m.Const(kTanhFactor, d), m.Add(v[0], cube))});
    return m.Mul(half, m.Add(m.Const(1, d), bent));
  });
}

}  // namespace

absl::StatusOr<Results> ImportElu(OpCall& c) {
  if (c.TypeOf(c.Arg(0)).is_floating()) {
    return c.Elementwise("elu", {c.Arg(0)}, [](ScalarMath& m, const Scalars& v) {
      const PrimRef zero = m.Const(0, v[0]->dtype());
      return m.Select(m.Lt(v[0], zero), m.Call("expm1", {v[0]}), v[0]);
    });
  }
  return RealTable(c, Elu, "");
}
absl::StatusOr<Results> ImportExp(OpCall& c) { return RealTable(c, Exp, "relax.exp"); }
absl::StatusOr<Results> ImportLog(OpCall& c) { return RealTable(c, Log, "relax.log"); }
absl::StatusOr<Results> ImportSqrt(OpCall& c) {
  // LiteRT cuts the roots off.
  return RealTable(c, Sqrt, "relax.sqrt", std::trunc);
}
absl::StatusOr<Results> ImportGelu(OpCall& c) {
  const bool tanh = c.Int("approximate") != 0;
  if (c.TypeOf(c.Arg(0)).is_floating()) return FloatGelu(c, c.Arg(0), tanh);
  return RealTable(c, tanh ? GeluTanh : Gelu, "");
}

namespace {

absl::StatusOr<Results> SameFloat(OpCall& c, absl::string_view op) {
  return FloatOnly(c, [&](const Operand& x) { return c.Op(op, {x}); });
}

}  // namespace

absl::StatusOr<Results> ImportFloor(OpCall& c) { return SameFloat(c, "relax.floor"); }
absl::StatusOr<Results> ImportCeil(OpCall& c) { return SameFloat(c, "relax.ceil"); }
absl::StatusOr<Results> ImportSin(OpCall& c) { return SameFloat(c, "relax.sin"); }
absl::StatusOr<Results> ImportCos(OpCall& c) { return SameFloat(c, "relax.cos"); }

// Halves to even. The result of -0.3 is 0, not -0, as in TFLM.
absl::StatusOr<Results> ImportRound(OpCall& c) {
  return FloatOnly(c, [&](const Operand& x) {
    return c.Elementwise("round", {x}, [](ScalarMath& m, const Scalars& v) {
      const DType d = v[0]->dtype();
      const PrimRef half = m.Const(0.5, d), below = m.Call("floor", {v[0]});
      const PrimRef rest = m.Sub(v[0], below);
      const PrimRef pair = m.Mul(m.Call("floor", {m.Mul(below, half)}), m.Const(2, d));
      const PrimRef down = m.Or(m.Lt(rest, half), m.And(m.Eq(rest, half), m.Eq(pair, below)));
      return m.Select(down, below, m.Add(below, m.Const(1, d)));
    });
  });
}

absl::StatusOr<Results> ImportSquare(OpCall& c) {
  return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.multiply", {x, x}); });
}

absl::StatusOr<Results> ImportNeg(OpCall& c) {
  if (IsSmallInteger(c.TypeOf(c.Arg(0)))) {
    return c.Unsupported() << "NEG of " << TypeName(c.In(0).type);
  }
  return c.Op("relax.negative", {c.Arg(0)});
}

absl::StatusOr<Results> ImportSign(OpCall& c) { return c.Op("relax.sign", {c.Arg(0)}); }
absl::StatusOr<Results> ImportLogicalNot(OpCall& c) {
  return c.Op("relax.logical_not", {c.Arg(0)});
}

}  // namespace lathe::tflite
