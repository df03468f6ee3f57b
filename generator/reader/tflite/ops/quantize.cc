// Imports conversions between real and quantized numbers, and casts.
#include <algorithm>
#include <cmath>
#include <vector>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// round(x / scale) + zero, halves away from zero.
absl::StatusOr<Results> FromReal(OpCall& c) {
  const Quantization& q = c.Out().quantization;
  if (q.per_axis()) return c.Unsupported() << "QUANTIZE with a scale per position of an axis";
  const Affine out = c.OutAffine();
  const DType dtype = c.OutType();
  const IntegerRange range = RangeOf(dtype);
  return c.Elementwise(
      "quantize", {c.Arg(0)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef scaled = m.Div(v[0], m.Const(out.scale, kReal));
        // Clips before the conversion to integers, which large values do not have. NaN becomes the
        // lower end.
        const PrimRef low = m.Const(static_cast<double>(range.low - out.zero), kReal);
        const PrimRef high = m.Const(static_cast<double>(range.high - out.zero), kReal);
        const PrimRef whole = NearestInteger(m, m.Min(m.Max(scaled, low), high));
        return m.Cast(m.Add(whole, m.ir().Int(out.zero, DType::Int(32))), dtype);
      },
      dtype);
}

absl::StatusOr<Results> FromIntegers(OpCall& c) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  if (!(in.scale > 0) || !(out.scale > 0)) return c.Error() << "a scale is not positive";
  const ops::FixedFactor by = ops::FixedFactorOf(in.scale / out.scale);
  const DType dtype = c.OutType();
  const IntegerRange range = RangeOf(dtype);
  return c.Elementwise(
      "requantize", {c.Arg(0)},
      [&](ScalarMath& m, const Scalars& v) {
        const DType wide = DType::Int(64);
        PrimRef x = m.Sub(m.Cast(v[0], wide), m.Int(in.zero));
        x = ops::ScaledTwice(m, m.Cast(x, DType::Int(32)), by);
        const PrimRef moved = m.Add(m.Cast(x, wide), m.Int(out.zero));
        return ops::ClippedTo(m, moved, range.low, range.high, dtype);
      },
      dtype);
}

}  // namespace

absl::StatusOr<Results> ImportQuantize(OpCall& c) {
  const DType in = c.TypeOf(c.Arg(0)), out = c.OutType();
  if (!c.Out().quantization.is_quantized()) return c.Error() << "its result has no scale";
  if (in == kReal && IsSmallInteger(out)) return FromReal(c);
  if (in.is_integer() && in.bits <= 32 && out.is_integer() && out.bits <= 32 && c.IsQuantized(0)) {
    return FromIntegers(c);
  }
  return c.Unsupported() << "QUANTIZE of " << TypeName(c.In(0).type) << " to "
                         << TypeName(c.Out().type);
}

absl::StatusOr<Results> ImportDequantize(OpCall& c) {
  const DType in = c.TypeOf(c.Arg(0));
  if (in.is_floating()) return c.Cast(c.Arg(0), c.OutType());
  if (c.OutType() != kReal || !IsSmallInteger(in) || !c.IsQuantized(0)) {
    return c.Unsupported() << "DEQUANTIZE of " << TypeName(c.In(0).type) << " to "
                           << TypeName(c.Out().type);
  }
  const Quantization& q = c.In(0).quantization;
  if (!q.per_axis()) return Dequantized(c, 0);
  std::vector<double> scales(q.scales.begin(), q.scales.end()), zeros;
  for (size_t i = 0; i < scales.size(); ++i) {
    zeros.push_back(static_cast<double>(q.zeros.empty()       ? 0
                                        : q.zeros.size() == 1 ? q.zeros[0]
                                                              : q.zeros[i]));
  }
  const std::vector<int64_t> shape = {std::ssize(scales)};
  return c.Op("relax.dequantize",
              {c.Arg(0), c.builder().Constant(kReal, shape, scales),
               c.builder().Constant(DType::Int(32), shape, zeros)},
              {{"axis", q.axis}, {"out_dtype", kReal}});
}

absl::StatusOr<Results> ImportCast(OpCall& c) { return c.Cast(c.Arg(0), c.OutType()); }

// Rounds float values to the steps of a quantized type.
absl::StatusOr<Results> ImportFakeQuant(OpCall& c) {
  const int64_t bits = c.Int("num_bits");
  if (bits < 2 || bits > 16) return c.Error() << "num_bits is " << bits << ", not 2 to 16";
  const float low = static_cast<float>(c.Float("min")), high = static_cast<float>(c.Float("max"));
  const float first = c.Int("narrow_range") != 0 ? 1.0F : 0.0F;
  const float last = static_cast<float>((int64_t{1} << bits) - 1);
  if (!(low < high) || low > 0 || high < 0) {
    return c.Error() << "the range [" << low << ", " << high << "] does not contain 0";
  }
  const float scale = (high - low) / (last - first);
  const float start = first - low / scale;
  const float zero = std::fmin(std::fmax(std::round(start), first), last);
  const float least = (first - zero) * scale, most = (last - zero) * scale;
  const float inverse = 1.0F / scale;
  return c.Elementwise("fake_quant", {c.Arg(0)}, [&](ScalarMath& m, const Scalars& v) {
    const auto real = [&](float x) { return m.Const(double{x}, kReal); };
    const PrimRef clipped = m.Max(m.Min(v[0], real(most)), real(least));
    const PrimRef steps = m.Add(m.Mul(m.Sub(clipped, real(least)), real(inverse)), real(0.5F));
    return m.Add(m.Mul(m.Call("floor", {steps}), real(scale)), real(least));
  });
}

namespace {

// Element `at` of the bytes of `x` as `to`, with the low bytes first. The wider type has the
// smaller rank: several narrow elements along the last dimension make one wide one.
Operand Rearranged(OpCall& c, const Operand& x, DType from, DType to) {
  const DType narrow = DType::UInt(std::min(from.bits, to.bits));
  const DType wide = DType::UInt(std::max(from.bits, to.bits));
  return c.Kernel("bitcast", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto bits = [&](const Indices& at, DType as) {
      const PrimRef element = te.At(te.Input(0), at);
      return element->dtype() == as ? element : m.ir().MakeIntrinsic(as, "reinterpret", {element});
    };
    return te.Compute("out", c.OutDims(), to, [&](const Indices& at) {
      PrimRef made = nullptr;
      if (from.bits > to.bits) {
        const Indices outer(at.begin(), at.end() - 1);
        const PrimRef shift = m.Mul(m.Cast(at.back(), wide), m.ir().Int(narrow.bits, wide));
        made = m.Cast(m.Binary(ir::BinaryOp::kShr, bits(outer, wide), shift), narrow);
      } else {
        for (int k = 0; k < to.bits / from.bits; ++k) {
          Indices place = at;
          place.push_back(m.Int(k));
          const PrimRef part = m.Binary(ir::BinaryOp::kShl, m.Cast(bits(place, narrow), wide),
                                        m.ir().Int(k * narrow.bits, wide));
          made = made == nullptr ? part : m.Binary(ir::BinaryOp::kBitOr, made, part);
        }
      }
      return made->dtype() == to ? made : m.ir().MakeIntrinsic(to, "reinterpret", {made});
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportBitcast(OpCall& c) {
  const DType in = c.TypeOf(c.Arg(0)), out = c.OutType();
  if (in == out) return c.Arg(0);
  if (in.is_bool() || out.is_bool()) return c.Unsupported() << "BITCAST of bool";
  if (in.bits == out.bits) {
    return c.Elementwise(
        "bitcast", {c.Arg(0)},
        [&](ScalarMath& m, const Scalars& v) {
          return m.ir().MakeIntrinsic(out, "reinterpret", {v[0]});
        },
        out);
  }
  std::vector<int64_t> narrow = in.bits < out.bits ? c.In(0).shape : c.Out().shape;
  const std::vector<int64_t>& wide = in.bits < out.bits ? c.Out().shape : c.In(0).shape;
  const int64_t parts = std::max(in.bits, out.bits) / std::min(in.bits, out.bits);
  const bool fits = !narrow.empty() && narrow.back() == parts;
  if (fits) narrow.pop_back();
  if (!fits || narrow != wide) {
    return c.Error() << "the tensor of the narrower type needs the shape of the other one and a "
                        "last dimension of "
                     << parts;
  }
  return Rearranged(c, c.Arg(0), in, out);
}

}  // namespace lathe::tflite
