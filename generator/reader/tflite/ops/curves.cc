// Imports LOGISTIC and TANH.
#include "generator/reader/tflite/ops/curves.h"

#include <algorithm>
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Inputs in Q4. Beyond its range the functions have their limits.
absl::StatusOr<Results> ByteCurve(OpCall& c, bool tanh) {
  constexpr int kIntegerBits = 4, kFractionBits = 27;
  const Affine in = c.InAffine(0);
  const ops::FixedFactor by = ops::FixedFactorOf(in.scale * std::ldexp(1.0, kFractionBits));
  const double radius = std::floor(((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits) /
                                   std::ldexp(1.0, by.shift));
  const Operand x = c.Arg(0);
  // uint8 is int8 with other zero points.
  const int32_t offset = c.TypeOf(x).is_uint() ? 128 : 0;
  std::vector<double> values;
  for (int q = -128; q <= 127; ++q) {
    const int32_t v = q + offset - static_cast<int32_t>(in.zero);
    int32_t made = v <= -radius ? -128 : 127;
    if (v > -radius && v < radius) {
      const int32_t a = ScaledTwiceOf(v, by);
      made = tanh ? RoundedShiftOf(TanhOf(a), 24) : RoundedShiftOf(SigmoidOf(a), 23) - 128;
    }
    values.push_back(std::clamp(made, -128, 127) + offset);
  }
  return LookedUp(c, x, values);
}

// The factor that brings the input to units of 1/24 * 2^-9 (sigmoid) or 2^-8 (tanh).
CurveInput InputOf(double scale, bool tanh) {
  constexpr int64_t kThree = 3;
  const float log = std::log2(static_cast<float>(scale));
  const int power = static_cast<int>(std::round(log));
  constexpr float kTolerance = 1e-3F;
  const bool is_power = std::fabs(log - static_cast<float>(power)) < kTolerance;
  if (is_power && (power == -12 || (tanh && power == -11))) {
    return {kThree * (int64_t{1} << (12 + power)), 0};
  }
  double multiplier = scale * 4096 * kThree;
  int shift = 0;
  while (multiplier <= 32767.0 / 2 && shift <= 30) {
    multiplier *= 2;
    ++shift;
  }
  return {static_cast<int64_t>(multiplier), shift};
}

absl::StatusOr<Results> Int16Curve(OpCall& c, bool tanh) {
  const CurveInput input = InputOf(c.InAffine(0).scale, tanh);
  const Operand x = c.Arg(0);
  const Operand table = CurveTable(c);
  return c.Kernel(tanh ? "tanh" : "logistic", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), DType::Int(16), [&](const Indices& at) {
      const PrimRef q = m.Cast(te.At(te.Input(0), at), kWhole);
      return CurveOf(te, te.Input(1), q, input, tanh);
    });
  });
}

absl::StatusOr<Results> ImportCurve(OpCall& c, bool tanh) {
  const DType dtype = c.TypeOf(c.Arg(0));
  if (dtype.is_floating()) return c.Op(tanh ? "relax.tanh" : "relax.sigmoid", {c.Arg(0)});
  const bool byte = dtype == DType::Int(8) || dtype == DType::UInt(8);
  if (c.In(0).type != c.Out().type || (!byte && dtype != DType::Int(16))) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type) << " with a result of "
                           << TypeName(c.Out().type)
                           << "; supported are float32, int8, uint8 and int16";
  }
  if (!(c.InAffine(0).scale > 0)) return c.Error() << "the scale of the input is not positive";
  return byte ? ByteCurve(c, tanh) : Int16Curve(c, tanh);
}

}  // namespace

Operand CurveTable(OpCall& c) {
  const std::vector<double>& table = SigmoidTable();
  return c.builder().Constant(DType::UInt(16), {std::ssize(table)}, table);
}

PrimRef CurveOf(Te& te, BufferRef table, PrimRef q, const CurveInput& input, bool tanh) {
  ScalarMath& m = te.math();
  const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
  const auto shr = [&](PrimRef x, int n) {
    return n == 0 ? x : m.Binary(ir::BinaryOp::kShr, x, number(n));
  };
  const int64_t round = input.shift > 0 ? int64_t{1} << (input.shift - 1) : 0;
  const PrimRef a = shr(m.Add(m.Mul(q, number(input.multiplier)), number(round)), input.shift);
  const PrimRef u = m.Max(a, m.Neg(a));
  const int bits = tanh ? 8 : 9;
  const PrimRef place = shr(u, bits);
  const PrimRef inside = m.Min(place, number(254));
  const PrimRef low = m.Cast(te.At(table, {m.Cast(inside, DType::Int(64))}), kWhole);
  const PrimRef high =
      m.Cast(te.At(table, {m.Cast(m.Add(inside, number(1)), DType::Int(64))}), kWhole);
  const PrimRef rest = m.Binary(ir::BinaryOp::kBitAnd, u, number((1 << bits) - 1));
  const PrimRef between = m.Add(m.Mul(low, number(1 << bits)), m.Mul(rest, m.Sub(high, low)));
  const int64_t limit = tanh ? int64_t{65535} << 8 : int64_t{32767} << 10;
  const PrimRef r = m.Select(m.Lt(place, number(255)), between, number(limit));
  const PrimRef positive = m.Le(number(0), a);
  PrimRef value = nullptr;
  if (tanh) {
    value =
        m.Select(positive, m.Add(r, number(128 - (1 << 23))), m.Sub(number((1 << 23) + 127), r));
    value = shr(value, 8);
  } else {
    value = m.Select(positive, m.Add(r, number(512)), m.Sub(number((1 << 25) + 511), r));
    value = shr(value, 10);
  }
  return ops::ClippedTo(m, value, -32768, 32767, DType::Int(16));
}

absl::StatusOr<Results> ImportLogistic(OpCall& c) { return ImportCurve(c, false); }
absl::StatusOr<Results> ImportTanh(OpCall& c) { return ImportCurve(c, true); }

}  // namespace lathe::tflite
