// Imports elementwise operators of one tensor. Operators of int8 and uint8 become tables of 256
// entries, which are computed here by the fixed-point definitions.
#include <algorithm>
#include <cmath>
#include <functional>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/byte_tables.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ops::FixedFactor;
using ops::FixedFactorOf;
using ops::ScaledTwice;

// A function of int16 as an expression of q - zero, whose result is clipped.
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

// x * factor, or x * -factor, of a negative x. The product with a positive factor is negated, which
// rounds ties toward 0, as TFLM does.
int32_t SlopedOf(int32_t x, const FixedFactor& by, bool negative) {
  return negative ? -ScaledTwiceOf(x, by) : ScaledTwiceOf(x, by);
}
PrimRef Sloped(ScalarMath& m, PrimRef x, const FixedFactor& by, bool negative) {
  const PrimRef scaled = ScaledTwice(m, x, by);
  return negative ? m.Neg(scaled) : scaled;
}

// TFLM has no uint8 here, and LiteRT forms factors in float32.
bool HasFloatFactors(OpCall& c) { return c.OutType() == DType::UInt(8); }

double UnaryFactor(OpCall& c, bool in_float) {
  return FactorOf(c.InAffine(0).scale, c.OutAffine().scale, in_float);
}

}  // namespace

absl::StatusOr<Results> ImportRelu(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const FixedFactor by = FixedFactorOf(UnaryFactor(c, HasFloatFactors(c)));
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

// Clips to the reals low to high. TFLM clips int8 and int16 as they are (`rescaled` is false),
// LiteRT converts them to the scale of the result.
absl::StatusOr<Results> ClippedReal(OpCall& c, double low, double high, bool rescaled) {
  if (c.TypeOf(c.Arg(0)).is_floating()) {
    const DType dtype = c.TypeOf(c.Arg(0));
    return c.Op("relax.clip", {c.Arg(0),
                               {ir::PrimValue{c.math().Const(low, dtype)}},
                               {ir::PrimValue{c.math().Const(high, dtype)}}});
  }
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const Affine unit = rescaled ? out : in;
  const auto quantized = [&](double real) {
    const float units = std::round(static_cast<float>(real) / static_cast<float>(unit.scale));
    return unit.zero + static_cast<int64_t>(std::clamp(units, -1e6F, 1e6F));
  };
  const IntegerRange all = RangeOf(c.OutType());
  const IntegerRange range = {std::max(all.low, quantized(low)),
                              std::min(all.high, quantized(high))};
  if (!rescaled) return ClippedIntegers(c, c.Arg(0), range);
  if (!IsByteOperator(c)) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type);
  }
  const FixedFactor by = FixedFactorOf(UnaryFactor(c, /*in_float=*/true));
  return Tabulated(c, [&](int32_t q) {
    const int64_t moved = out.zero + ScaledTwiceOf(q - static_cast<int32_t>(in.zero), by);
    return std::min(std::max(moved, range.low), range.high);
  });
}

}  // namespace

absl::StatusOr<Results> ImportRelu6(OpCall& c) {
  return ClippedReal(c, 0, 6, c.TypeOf(c.Arg(0)).is_uint());
}
absl::StatusOr<Results> ImportReluN1To1(OpCall& c) { return ClippedReal(c, -1, 1, true); }
absl::StatusOr<Results> ImportRelu0To1(OpCall& c) { return ClippedReal(c, 0, 1, true); }

absl::StatusOr<Results> ImportLeakyRelu(OpCall& c) {
  const double alpha = c.Float("alpha");
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const FixedFactor same = FixedFactorOf(UnaryFactor(c, HasFloatFactors(c)));
  const double by = static_cast<float>(alpha);
  const FixedFactor slope =
      FixedFactorOf(std::fabs(FactorOf(in.scale, by, out.scale, HasFloatFactors(c))));
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
  const FixedFactor by = FixedFactorOf(UnaryFactor(c, HasFloatFactors(c)));
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

// LiteRT negates int8 and int16 as they are, without their zero points.
absl::StatusOr<Results> ImportNeg(OpCall& c) {
  const DType dtype = c.TypeOf(c.Arg(0));
  if (dtype.is_bool() || dtype.is_uint()) {
    return c.Unsupported() << "NEG of " << TypeName(c.In(0).type);
  }
  return c.Op("relax.negative", {c.Arg(0)});
}

absl::StatusOr<Results> ImportSign(OpCall& c) { return c.Op("relax.sign", {c.Arg(0)}); }
absl::StatusOr<Results> ImportLogicalNot(OpCall& c) {
  return c.Op("relax.logical_not", {c.Arg(0)});
}

}  // namespace lathe::tflite
