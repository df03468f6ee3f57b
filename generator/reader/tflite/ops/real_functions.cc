// Imports EXP, LOG, SQRT, RSQRT, ELU and GELU. Of int8 and uint8 they become tables of 256 entries,
// of int16 tables for interpolation.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "generator/reader/tflite/ops/byte_tables.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/int16_tables.h"
#include "generator/reader/tflite/ops/inverse_sqrt.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using RealFunction = std::function<float(float)>;

// The value between two of 513 entries of a table over int16.
absl::StatusOr<Results> InterpolatedFunction(OpCall& c, const RealFunction& f) {
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Affine in = c.InAffine(0), out = c.OutAffine();
  if (in.zero != 0 || out.zero != 0) {
    return c.Unsupported() << c.op() << " of int16 with zero points other than 0";
  }
  const Operand x = c.Arg(0);
  const std::vector<double> values =
      Int16Table(f, static_cast<float>(in.scale), 0, static_cast<float>(out.scale));
  const Operand table = c.builder().Constant(DType::Int(16), {std::ssize(values)}, values);
  return c.Kernel("interpolate", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), DType::Int(16), [&](const Indices& at) {
      const PrimRef q = m.Cast(te.At(te.Input(0), at), kWhole);
      return ops::ClippedTo(m, Interpolated(te, te.Input(1), q), -32768, 32767, DType::Int(16));
    });
  });
}

// quantize(f(dequantize(q))) in float32.
absl::StatusOr<Results> RealTable(OpCall& c, const RealFunction& f) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const float inverse = 1.0F / static_cast<float>(out.scale);
  return Tabulated(c, [&](int32_t q) -> int64_t {
    const float real = static_cast<float>(in.scale) * static_cast<float>(q - in.zero);
    const float scaled = std::round(f(real) * inverse);
    if (std::isnan(scaled)) return out.zero;
    return static_cast<int64_t>(
        std::clamp(scaled + static_cast<float>(out.zero), -65536.0F, 65536.0F));
  });
}

float Elu(float x) { return x < 0 ? std::expm1(x) : x; }
float Exp(float x) { return std::exp(x); }

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

// 1 / sqrt(q) of int16 without zero points, by the fixed-point definition.
absl::StatusOr<Results> Int16Rsqrt(OpCall& c, const ops::FixedFactor& by, int shift) {
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  if (c.InAffine(0).zero != 0 || c.OutAffine().zero != 0) {
    return c.Unsupported() << "RSQRT of int16 with zero points other than 0";
  }
  const Operand x = c.Arg(0);
  const Dims dims = c.DimsOf(x);
  constexpr int64_t kMost = 32767;
  return c.Kernel("rsqrt", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
    const BufferRef out = te.Allocate("out", dims, DType::Int(16));
    te.Run("each", dims, [&](ops::Statements& s, const Indices& at) {
      const PrimRef q = s.Let("q", m.Cast(te.At(te.Input(0), at), kWhole));
      const InverseSqrt inverse = EmitInverseSqrt(s, m, m.Max(q, number(1)));
      const PrimRef root = s.Let("root", ops::ScaledTwice(m, number(1), inverse.mantissa,
                                                          m.Add(inverse.shift, number(shift))));
      const PrimRef scaled = ops::ScaledTwice(m, root, {by.mantissa, by.shift - shift});
      // TFLM stops at negative values.
      const PrimRef made = m.Select(m.Lt(number(0), q), scaled, number(kMost));
      s.Store(out, at, ops::ClippedTo(m, made, -32768, kMost, DType::Int(16)));
    });
    return out;
  });
}

}  // namespace

absl::StatusOr<Results> ImportRsqrt(OpCall& c) {
  constexpr int kShift = 20;
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const ops::FixedFactor by = ops::FixedFactorOf(1.0 / (std::sqrt(in.scale) * out.scale));
  if (IsByteOperator(c)) {
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const int32_t x = q - static_cast<int32_t>(in.zero);
      if (x <= 0) return 127;  // TFLM stops at negative values
      const ops::FixedFactor inverse = InverseSqrtOf(x);
      const int32_t value = ScaledTwiceOf(1, {inverse.mantissa, inverse.shift + kShift});
      return out.zero + ScaledTwiceOf(value, {by.mantissa, by.shift - kShift});
    });
  }
  if (IsInt16Operator(c)) return Int16Rsqrt(c, by, kShift);
  return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.rsqrt", {x}); });
}

absl::StatusOr<Results> ImportElu(OpCall& c) {
  if (IsByteOperator(c)) return RealTable(c, Elu);
  return FloatOnly(c, [&](const Operand& x) {
    return c.Elementwise("elu", {x}, [](ScalarMath& m, const Scalars& v) {
      const PrimRef zero = m.Const(0, v[0]->dtype());
      return m.Select(m.Lt(v[0], zero), m.Call("expm1", {v[0]}), v[0]);
    });
  });
}

absl::StatusOr<Results> ImportExp(OpCall& c) {
  if (IsByteOperator(c)) return RealTable(c, Exp);
  if (IsInt16Operator(c)) return InterpolatedFunction(c, Exp);
  return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.exp", {x}); });
}

// The logarithm of 0 and of negative values is the least result.
absl::StatusOr<Results> ImportLog(OpCall& c) {
  if (!IsByteOperator(c) && !IsInt16Operator(c)) {
    return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.log", {x}); });
  }
  const Affine out = c.OutAffine();
  const auto units = static_cast<float>(RangeOf(c.OutType()).low - out.zero);
  const float least = units * static_cast<float>(out.scale);
  const auto log = [=](float x) { return x <= 0 ? least : std::log(x); };
  return IsByteOperator(c) ? RealTable(c, log) : InterpolatedFunction(c, log);
}

// LiteRT cuts the roots off, and stops at negative values.
absl::StatusOr<Results> ImportSqrt(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const auto in_scale = static_cast<float>(in.scale), out_scale = static_cast<float>(out.scale);
  if (IsByteOperator(c)) {
    return Tabulated(c, [&](int32_t q) -> int64_t {
      const float real = in_scale * static_cast<float>(q - in.zero);
      const float units = std::sqrt(std::max(real, 0.0F)) / out_scale;
      return static_cast<int64_t>(std::min(units, 65536.0F)) + out.zero;
    });
  }
  if (!IsInt16Operator(c)) {
    return FloatOnly(c, [&](const Operand& x) { return c.Op("relax.sqrt", {x}); });
  }
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  return c.Elementwise(
      "sqrt", {c.Arg(0)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef positive = m.Max(SubtractZeroPoint(m, v[0], in.zero), m.ir().Int(0, kWhole));
        const PrimRef root =
            m.Call("sqrt", {m.Mul(m.Const(in.scale, kReal), m.Cast(positive, kReal))});
        const PrimRef units = m.Min(m.Div(root, m.Const(out.scale, kReal)), m.Const(65536, kReal));
        const PrimRef moved = m.Add(m.Cast(units, kWhole), m.ir().Int(out.zero, kWhole));
        return ops::ClippedTo(m, moved, -32768, 32767, DType::Int(16));
      },
      c.OutType());
}

absl::StatusOr<Results> ImportGelu(OpCall& c) {
  const bool tanh = c.Int("approximate") != 0;
  if (IsByteOperator(c)) return RealTable(c, tanh ? GeluTanh : Gelu);
  if (IsInt16Operator(c)) return InterpolatedFunction(c, tanh ? GeluTanh : Gelu);
  return FloatOnly(c, [&](const Operand& x) { return FloatGelu(c, x, tanh); });
}

}  // namespace lathe::tflite
