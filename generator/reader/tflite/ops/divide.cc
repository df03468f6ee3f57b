// Imports DIV and PRELU.
#include <algorithm>
#include <cstdint>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ops::FixedFactor;
using ops::FixedFactorOf;

bool IsScaledByte(OpCall& c) {
  const DType dtype = c.TypeOf(c.Arg(0));
  return dtype.is_integer() && dtype.bits == 8 && c.IsQuantized(0) && c.IsQuantized(1);
}

absl::Status RequirePositiveScales(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneScale(c));
  for (const Affine& affine : {c.InAffine(0), c.InAffine(1), c.OutAffine()}) {
    if (!(affine.scale > 0)) return c.Error() << "a scale is not positive";
  }
  if (c.In(0).type != c.Out().type) return c.Error() << "data and result have different types";
  return absl::OkStatus();
}

int LeadingZeros(uint32_t x) {
  int zeros = 0;
  for (uint32_t bit = uint32_t{1} << 31; bit != 0 && (x & bit) == 0; bit >>= 1) ++zeros;
  return zeros;
}

// Of each difference of a divisor from its zero point: the sign, the reciprocal of its magnitude
// as a mantissa, and the power of two that belongs to it.
struct Divisors {
  std::vector<double> signs, reciprocals, shifts;
};
Divisors DivisorsOf(const IntegerRange& range, int64_t zero) {
  Divisors made;
  for (int64_t q = range.low; q <= range.high; ++q) {
    const auto size = static_cast<uint32_t>(q < zero ? zero - q : q - zero);
    const int up = LeadingZeros(std::max<uint32_t>(size, 1));
    const int64_t above = (int64_t{size} << up) - (int64_t{1} << 31);
    made.signs.push_back(q < zero ? -1 : 1);
    // TFLM stops at a division by 0; the result is the zero point here.
    made.reciprocals.push_back(size == 0 ? 0 : ReciprocalOf(static_cast<int32_t>(above)));
    made.shifts.push_back(31 - up);
  }
  return made;
}

absl::StatusOr<Results> ByteDivision(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequirePositiveScales(c));
  if (c.In(1).type != c.In(0).type) return c.Error() << "its operands have different types";
  const Affine a = c.InAffine(0), b = c.InAffine(1), out = c.OutAffine();
  const DType dtype = c.OutType();
  const IntegerRange all = RangeOf(dtype);
  const IntegerRange range = ActivationRange(c, c.Out(), c.Int("activation"));
  const FixedFactor by = FixedFactorOf(
      dtype == DType::Int(8) ? a.scale / (b.scale * out.scale)
                             : FloatQuotient(a.scale, FloatProduct(b.scale, out.scale)));
  const Divisors divisors = DivisorsOf(all, b.zero);
  const auto table = [&](const std::vector<double>& values) {
    return c.builder().Constant(kWhole, {std::ssize(values)}, values);
  };
  const Operands args = {c.Arg(0), c.Arg(1), table(divisors.signs), table(divisors.reciprocals),
                         table(divisors.shifts)};
  const Dims dims = c.BroadcastDims({c.Arg(0), c.Arg(1)});
  LATHE_RETURN_IF_ERROR(c.status());
  return c.Kernel("divide", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef q = te.AtBroadcast(te.Input(1), at, dims);
      const PrimRef place = m.Sub(m.Cast(q, kWide), m.Int(all.low));
      const auto of_divisor = [&](int input) { return te.At(te.Input(input), {place}); };
      const PrimRef x =
          m.Mul(SubtractZeroPoint(m, te.AtBroadcast(te.Input(0), at, dims), a.zero), of_divisor(2));
      // The bits above the magnitude of x, which has at most 8.
      const PrimRef bits = m.Max(
          m.Select(m.Lt(x, number(0)), m.Sub(m.Mul(x, number(-2)), number(1)), m.Mul(x, number(2))),
          number(1));
      const PrimRef spare = m.Call("clz", {bits});
      const PrimRef lifted = m.Cast(
          m.Mul(m.Cast(x, kWide), m.Binary(ir::BinaryOp::kShl, m.Int(1), m.Cast(spare, kWide))),
          kWhole);
      const PrimRef ratio = ops::HighProduct(m, lifted, of_divisor(3));
      const PrimRef scaled = ops::HighProduct(m, ratio, number(by.mantissa));
      const PrimRef down = m.Sub(m.Add(of_divisor(4), spare), number(by.shift));
      const PrimRef near = m.Max(m.Min(down, number(31)), number(0));
      const PrimRef shifted =
          m.Select(m.Le(down, number(31)), ops::RoundedShift(m, scaled, near), number(0));
      const PrimRef clipped =
          ops::ClippedTo(m, shifted, range.low - out.zero, range.high - out.zero, kWhole);
      return m.Cast(m.Add(clipped, number(out.zero)), dtype);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportDiv(OpCall& c) {
  if (IsScaledByte(c)) return ByteDivision(c);
  if (c.In(0).type != c.In(1).type) return c.Error() << "its operands have different types";
  const DType dtype = c.TypeOf(c.Arg(0));
  const int64_t activation = c.Int("activation");
  if (dtype.is_floating()) {
    return FloatActivation(c, c.Op("relax.divide", {c.Arg(0), c.Arg(1)}), activation);
  }
  if (dtype != kWhole) {
    return c.Unsupported() << "DIV of " << TypeName(c.In(0).type)
                           << "; supported are float32, int32, int8 and uint8";
  }
  // Toward zero. The result is 0 where TFLM divides by 0.
  const Operand made =
      c.Elementwise("divide", {c.Arg(0), c.Arg(1)}, [](ScalarMath& m, const Scalars& v) {
        const PrimRef none = m.Eq(v[1], m.ir().Int(0, kWhole));
        const PrimRef safe = m.Select(none, m.ir().Int(1, kWhole), v[1]);
        const PrimRef ratio =
            m.Binary(ir::BinaryOp::kDiv, m.Cast(v[0], kWide), m.Cast(safe, kWide));
        return m.Select(none, m.ir().Int(0, kWhole), m.Cast(ratio, kWhole));
      });
  if (activation == kNone) return made;
  IntegerRange range = RangeOf(dtype);
  if (activation == kRelu || activation == kRelu6) range.low = 0;
  if (activation == kRelu6) range.high = 6;
  if (activation == kReluN1To1) range = {-1, 1};
  return ClippedIntegers(c, made, range);
}

// x where it is positive, x * slope elsewhere.
absl::StatusOr<Results> ImportPrelu(OpCall& c) {
  const DType dtype = c.TypeOf(c.Arg(0));
  const Operands args = {c.Arg(0), c.Arg(1)};
  if (dtype.is_floating()) {
    if (c.TypeOf(c.Arg(1)) != dtype) return c.Error() << "the slopes have another type";
    return c.Elementwise("prelu", args, [](ScalarMath& m, const Scalars& v) {
      const PrimRef zero = m.Const(0, v[0]->dtype());
      return m.Select(m.Le(zero, v[0]), v[0], m.Mul(v[0], v[1]));
    });
  }
  if (!IsSmallInteger(dtype) || !IsSmallInteger(c.TypeOf(c.Arg(1))) || !c.IsQuantized(0)) {
    return c.Unsupported() << "PRELU of " << TypeName(c.In(0).type) << " and "
                           << TypeName(c.In(1).type);
  }
  LATHE_RETURN_IF_ERROR(RequirePositiveScales(c));
  const Affine x = c.InAffine(0), slope = c.InAffine(1), out = c.OutAffine();
  const bool in_float = dtype != DType::Int(8);  // of LiteRT
  const FixedFactor above = FixedFactorOf(FactorOf(x.scale, out.scale, in_float));
  const FixedFactor below = FixedFactorOf(FactorOf(x.scale, slope.scale, out.scale, in_float));
  const IntegerRange range = RangeOf(c.OutType());
  return c.Elementwise(
      "prelu", args,
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef value = SubtractZeroPoint(m, v[0], x.zero);
        const PrimRef product = m.Mul(value, SubtractZeroPoint(m, v[1], slope.zero));
        const PrimRef made =
            m.Select(m.Le(m.ir().Int(0, kWhole), value), ops::ScaledTwice(m, value, above),
                     ops::ScaledTwice(m, product, below));
        const PrimRef clipped =
            ops::ClippedTo(m, made, range.low - out.zero, range.high - out.zero, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(out.zero, kWhole)), c.OutType());
      },
      c.OutType());
}

}  // namespace lathe::tflite
