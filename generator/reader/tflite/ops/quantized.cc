#include "generator/reader/tflite/ops/quantized.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/support/status.h"

namespace lathe::tflite {

IntegerRange RangeOf(DType dtype) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto high = static_cast<int64_t>((uint64_t{1} << (dtype.bits - 1)) - 1);
  if (dtype.is_uint()) return {0, high == kMost ? kMost : 2 * high + 1};
  return {-high - 1, high};
}

bool IsSmallInteger(DType dtype) { return dtype.is_integer() && dtype.bits <= 16; }

IntegerRange ActivationRange(OpCall&, const Tensor& out, int64_t activation) {
  IntegerRange range = RangeOf(DTypeOf(out.type).value_or(DType::Int(8)));
  const Affine affine = OpCall::AffineOf(out);
  const auto quantized = [&](float real) {
    return affine.zero + static_cast<int64_t>(std::clamp(
                             std::round(real / static_cast<float>(affine.scale)), -1e6F, 1e6F));
  };
  if (activation == kRelu) range.low = std::max(range.low, affine.zero);
  if (activation == kRelu6) {
    range.low = std::max(range.low, affine.zero);
    range.high = std::min(range.high, quantized(6));
  }
  if (activation == kReluN1To1) {
    range.low = std::max(range.low, quantized(-1));
    range.high = std::min(range.high, quantized(1));
  }
  return range;
}

Operand FloatActivation(OpCall& c, const Operand& x, int64_t activation) {
  const auto clipped = [&](double low, double high) {
    const DType dtype = c.TypeOf(x);
    return c.Op("relax.clip", {x,
                               {ir::PrimValue{c.math().Const(low, dtype)}},
                               {ir::PrimValue{c.math().Const(high, dtype)}}});
  };
  if (activation == kRelu) return c.Op("relax.nn.relu", {x});
  if (activation == kRelu6) return clipped(0, 6);
  if (activation == kReluN1To1) return clipped(-1, 1);
  return x;
}

PrimRef EveryActivation(ScalarMath& m, PrimRef x, int64_t activation) {
  const DType dtype = x->dtype();
  const auto clip = [&](double low, double high) {
    return m.Max(m.Min(x, m.Const(high, dtype)), m.Const(low, dtype));
  };
  switch (activation) {
    case kRelu:
      return m.Max(x, m.Const(0, dtype));
    case kReluN1To1:
      return clip(-1, 1);
    case kRelu6:
      return clip(0, 6);
    case kTanh:
      return m.Call("tanh", {x});
    case kSignBit: {
      const PrimRef one = m.Const(1, dtype), none = m.Const(0, dtype);
      return m.Select(m.Lt(m.Call("copysign", {one, x}), none), one, none);
    }
    default:
      return x;
  }
}

Operand EveryActivation(OpCall& c, const Operand& x, int64_t activation) {
  if (activation != kTanh && activation != kSignBit) return FloatActivation(c, x, activation);
  return c.Elementwise("activation", {x}, [&](ScalarMath& m, const Scalars& v) {
    return EveryActivation(m, v[0], activation);
  });
}

Operand Dequantized(OpCall& c, int i) {
  const Affine affine = c.InAffine(i);
  return c.Elementwise(
      "dequantize", {c.Arg(i)},
      [&](ScalarMath& m, const Scalars& v) {
        return m.Mul(m.Cast(SubtractZeroPoint(m, v[0], affine.zero), kReal),
                     m.Const(affine.scale, kReal));
      },
      kReal);
}

absl::Status RequireOneScale(OpCall& c) {
  const auto check = [&](const Tensor& tensor) -> absl::Status {
    if (!tensor.quantization.per_axis()) return absl::OkStatus();
    return c.Unsupported() << c.op() << " of '" << tensor.name << "' with "
                           << tensor.quantization.scales.size()
                           << " scales along an axis; one scale is supported";
  };
  for (int i = 0; i < c.inputs(); ++i) {
    if (c.Has(i)) LATHE_RETURN_IF_ERROR(check(c.In(i)));
  }
  for (int k = 0; k < c.outputs(); ++k) LATHE_RETURN_IF_ERROR(check(c.Out(k)));
  return absl::OkStatus();
}

Operand SubtractZeroPoint(OpCall& c, const Operand& x, int64_t zero, DType dtype) {
  const Operand wide = c.Cast(x, dtype);
  if (zero == 0) return wide;
  return c.Op("relax.subtract", {wide, c.Number(static_cast<double>(zero), dtype)});
}

Operand RequantizedSums(OpCall& c, const Operand& sums, const std::vector<double>& factors,
                        int axis, const IntegerRange& range) {
  std::vector<double> mantissas, shifts;
  for (const double factor : factors) {
    const ops::FixedFactor fixed = ops::FixedFactorOf(factor);
    mantissas.push_back(static_cast<double>(fixed.mantissa));
    shifts.push_back(fixed.shift);
  }
  std::vector<int64_t> shape;
  if (factors.size() > 1) shape.push_back(std::ssize(factors));
  const DType whole = DType::Int(32);
  // TFLM ignores zero points of 16-bit results here.
  const int64_t zero = c.OutType().bits == 16 ? 0 : c.OutAffine().zero;
  const bool once = c.TypeOf(sums) == DType::Int(64);
  return c.Op("relax.lathe.requantize",
              {sums, c.builder().Constant(whole, shape, mantissas),
               c.builder().Constant(whole, shape, shifts)},
              {{"axis", axis},
               {"zero_point", zero},
               {"low", range.low},
               {"high", range.high},
               {"rounding", once ? "once" : "twice"},
               {"out_dtype", c.OutType()}});
}

Operand LookedUp(OpCall& c, const Operand& x, const std::vector<double>& values) {
  const DType dtype = c.TypeOf(x);
  const int64_t low = RangeOf(dtype).low;
  const Operand table = c.builder().Constant(dtype, {std::ssize(values)}, values);
  return c.Kernel("table", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), dtype, [&](const Indices& at) {
      const PrimRef q = m.Cast(te.At(te.Input(0), at), DType::Int(64));
      return te.At(te.Input(1), {m.Sub(q, m.Int(low))});
    });
  });
}

Operand ClippedIntegers(OpCall& c, const Operand& x, const IntegerRange& range) {
  const DType dtype = c.TypeOf(x);
  const IntegerRange all = RangeOf(dtype);
  if (range.low <= all.low && range.high >= all.high) return x;
  return c.Elementwise("clip", {x}, [&](ScalarMath& m, const Scalars& v) {
    return ops::ClippedTo(m, v[0], range.low, range.high, dtype);
  });
}

absl::Status RequireSameQuantization(OpCall& c, int first) {
  const Tensor& out = c.Out();
  for (int i = first; i < c.inputs(); ++i) {
    const Tensor& in = c.In(i);
    if (in.type != out.type) {
      return c.Error() << "input " << i << " is " << TypeName(in.type) << ", and the result is "
                       << TypeName(out.type);
    }
    if (!in.quantization.is_quantized() || !out.quantization.is_quantized()) continue;
    if (c.InAffine(i) != c.OutAffine()) {
      return c.Unsupported() << c.op() << " between different scales or zero points ('" << in.name
                             << "' and '" << out.name << "')";
    }
  }
  return absl::OkStatus();
}

absl::Status RequireSameType(OpCall& c) {
  for (int i = 0; i < c.inputs(); ++i) {
    if (!c.Has(i) || c.In(i).type == c.Out().type) continue;
    return c.Error() << "input " << i << " is " << TypeName(c.In(i).type) << ", and the result is "
                     << TypeName(c.Out().type);
  }
  return absl::OkStatus();
}

PrimRef NearestInteger(ScalarMath& m, PrimRef x) {
  // Not 0.5, with which 0.49999997 would become 1.
  const double half = double{std::nextafter(0.5F, 0.0F)};
  const PrimRef away =
      m.Select(m.Lt(x, m.Const(0, kReal)), m.Const(-half, kReal), m.Const(half, kReal));
  return m.Cast(m.Add(x, away), DType::Int(32));
}

PrimRef SubtractZeroPoint(ScalarMath& m, PrimRef q, int64_t zero) {
  const DType whole = DType::Int(32);
  const PrimRef wide = m.Cast(q, whole);
  return zero == 0 ? wide : m.Sub(wide, m.ir().Int(zero, whole));
}

}  // namespace lathe::tflite
