// Imports elementwise operators of two tensors, with broadcasting.
#include <algorithm>
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ops::FixedFactor;
using ops::FixedFactorOf;
using ops::ScaledTwice;

bool IsQuantizedBinary(OpCall& c) { return IsSmallInteger(c.TypeOf(c.Arg(0))) && c.IsQuantized(0); }

absl::Status RequirePair(OpCall& c) {
  if (c.In(0).type != c.In(1).type) {
    return c.Error() << "its operands are " << TypeName(c.In(0).type) << " and "
                     << TypeName(c.In(1).type);
  }
  return absl::OkStatus();
}

absl::Status RequireScales(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneScale(c));
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  if (c.In(0).type != c.Out().type) {
    return c.Error() << "its operands are " << TypeName(c.In(0).type) << ", and the result is "
                     << TypeName(c.Out().type);
  }
  for (const Affine& affine : {c.InAffine(0), c.InAffine(1), c.OutAffine()}) {
    if (!(affine.scale > 0)) return c.Error() << "a scale is not positive";
  }
  return absl::OkStatus();
}

// Both operands, scaled to twice the larger scale with `up` more bits.
struct SharedScale {
  FixedFactor factors[2];
  double unit = 0;  // the real value of 2^up
  int64_t up = 0;

  SharedScale(OpCall& c, int bits) : up(int64_t{1} << bits) {
    const double a = c.InAffine(0).scale, b = c.InAffine(1).scale;
    unit = 2 * std::max(a, b);
    factors[0] = FixedFactorOf(a / unit);
    factors[1] = FixedFactorOf(b / unit);
  }
  PrimRef Of(OpCall& c, ScalarMath& m, PrimRef q, int i) const {
    const auto times = [&](int64_t by) {
      return m.Mul(SubtractZeroPoint(m, q, c.InAffine(i).zero), m.ir().Int(by, DType::Int(32)));
    };
    // The larger scale is halved. A power of two that divides 2^up is not rounded.
    const FixedFactor& by = factors[i];
    const int halvings = 1 - by.shift;
    const bool exact = by.mantissa == int64_t{1} << 30 && halvings >= 1 && up >> halvings > 0;
    return exact ? times(up >> halvings) : ScaledTwice(m, times(up), by);
  }
};

PrimRef ResultOf(OpCall& c, ScalarMath& m, PrimRef scaled, const IntegerRange& range) {
  const int64_t zero = c.OutAffine().zero;
  const DType whole = DType::Int(32);
  const PrimRef clipped = ops::ClippedTo(m, scaled, range.low - zero, range.high - zero, whole);
  return m.Cast(m.Add(clipped, m.ir().Int(zero, whole)), c.OutType());
}

absl::StatusOr<Results> QuantizedSum(OpCall& c, bool subtract) {
  LATHE_RETURN_IF_ERROR(RequireScales(c));
  const int bits = c.OutType().bits == 8 ? 20 : 15;
  const SharedScale shared(c, bits);
  const double real = shared.unit / (static_cast<double>(shared.up) * c.OutAffine().scale);
  if (real >= 1) {
    return c.Unsupported() << "the scale of the result is so small that a factor of " << real
                           << " results; TFLM stops at factors of 1 and more";
  }
  const FixedFactor out = FixedFactorOf(real);
  const IntegerRange range = ActivationRange(c, c.Out(), c.Int("activation"));
  return c.Elementwise(
      subtract ? "subtract" : "add", {c.Arg(0), c.Arg(1)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef a = shared.Of(c, m, v[0], 0), b = shared.Of(c, m, v[1], 1);
        return ResultOf(c, m, ScaledTwice(m, subtract ? m.Sub(a, b) : m.Add(a, b), out), range);
      },
      c.OutType());
}

// int32 and float operands.
absl::StatusOr<Results> PlainBinary(OpCall& c, absl::string_view op, int64_t activation) {
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  const Operand made = c.Op(op, {c.Arg(0), c.Arg(1)});
  if (c.TypeOf(made).is_floating()) return FloatActivation(c, made, activation);
  if (activation == kNone) return made;
  // Integers without a scale.
  IntegerRange range = RangeOf(c.TypeOf(made));
  if (activation == kRelu || activation == kRelu6) range.low = 0;
  if (activation == kRelu6) range.high = 6;
  if (activation == kReluN1To1) range = {-1, 1};
  return ClippedIntegers(c, made, range);
}

absl::StatusOr<Results> Unquantized(OpCall& c, absl::string_view op) {
  if (IsSmallInteger(c.TypeOf(c.Arg(0))) && c.TypeOf(c.Arg(0)).bits == 8) {
    return c.Error() << "its operands are " << TypeName(c.In(0).type) << " without a scale";
  }
  return PlainBinary(c, op, c.Int("activation"));
}

}  // namespace

absl::StatusOr<Results> ImportAdd(OpCall& c) {
  if (IsQuantizedBinary(c)) return QuantizedSum(c, false);
  // TFLM ignores the activation of an int32 sum.
  const bool whole = c.TypeOf(c.Arg(0)) == DType::Int(32);
  if (whole) return PlainBinary(c, "relax.add", kNone);
  return Unquantized(c, "relax.add");
}

absl::StatusOr<Results> ImportSub(OpCall& c) {
  if (IsQuantizedBinary(c)) return QuantizedSum(c, true);
  return Unquantized(c, "relax.subtract");
}

absl::StatusOr<Results> ImportMul(OpCall& c) {
  if (!IsQuantizedBinary(c)) return Unquantized(c, "relax.multiply");
  LATHE_RETURN_IF_ERROR(RequireScales(c));
  const double a = c.InAffine(0).scale, b = c.InAffine(1).scale, made = c.OutAffine().scale;
  // LiteRT, which alone has uint8, forms the factor in float32.
  const bool in_float = c.OutType() == DType::UInt(8);
  const FixedFactor out = FixedFactorOf(FactorOf(a, b, made, in_float));
  const IntegerRange range = ActivationRange(c, c.Out(), c.Int("activation"));
  return c.Elementwise(
      "multiply", {c.Arg(0), c.Arg(1)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef product = m.Mul(SubtractZeroPoint(m, v[0], c.InAffine(0).zero),
                                      SubtractZeroPoint(m, v[1], c.InAffine(1).zero));
        return ResultOf(c, m, ScaledTwice(m, product, out), range);
      },
      c.OutType());
}

absl::StatusOr<Results> ImportSquaredDifference(OpCall& c) {
  if (!IsQuantizedBinary(c)) {
    LATHE_RETURN_IF_ERROR(RequirePair(c));
    const Operand d = c.Op("relax.subtract", {c.Arg(0), c.Arg(1)});
    return c.Op("relax.multiply", {d, d});
  }
  LATHE_RETURN_IF_ERROR(RequireScales(c));
  const int bits = c.OutType().bits == 8 ? 7 : 0;
  const SharedScale shared(c, bits);
  const double up = static_cast<double>(shared.up);
  const FixedFactor out =
      FixedFactorOf(shared.unit * shared.unit / (up * up * c.OutAffine().scale));
  return c.Elementwise(
      "squared_difference", {c.Arg(0), c.Arg(1)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef d = m.Sub(shared.Of(c, m, v[0], 0), shared.Of(c, m, v[1], 1));
        // The square of the largest differences wraps, as in TFLM.
        const PrimRef wide = m.Cast(d, DType::Int(64));
        const PrimRef square = m.Cast(m.Mul(wide, wide), DType::Int(32));
        return ResultOf(c, m, ScaledTwice(m, square, out), RangeOf(c.OutType()));
      },
      c.OutType());
}

absl::StatusOr<Results> ImportAddN(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSameType(c));
  const DType dtype = c.OutType();
  if (!IsSmallInteger(dtype)) {
    Operand sum = c.Arg(0);
    for (int i = 1; i < c.inputs(); ++i) sum = c.Op("relax.add", {sum, c.Arg(i)});
    return sum;
  }
  constexpr int kBits = 20;
  const Affine in = c.InAffine(0);
  for (int i = 1; i < c.inputs(); ++i) {
    if (c.InAffine(i) != in) return c.Unsupported() << "ADD_N of different scales or zero points";
  }
  const FixedFactor half = FixedFactorOf(0.5);
  const FixedFactor out =
      FixedFactorOf(2 * in.scale / (std::ldexp(1.0, kBits) * c.OutAffine().scale));
  return c.Elementwise(
      "add_n", c.Args(),
      [&](ScalarMath& m, const Scalars& v) {
        const DType whole = DType::Int(32);
        const PrimRef up = m.ir().Int(1 << kBits, whole);
        // TFLM starts the sum with one zero point too many.
        PrimRef sum = ScaledTwice(m, m.ir().Int(-in.zero * (1 << kBits), whole), half);
        for (const PrimRef q : v) {
          sum = m.Add(sum, ScaledTwice(m, m.Mul(SubtractZeroPoint(m, q, in.zero), up), half));
        }
        return ResultOf(c, m, ScaledTwice(m, sum, out), RangeOf(dtype));
      },
      dtype);
}

namespace {

// Compares real values that are scaled to 2^8 units and rounded.
absl::StatusOr<Results> Compared(OpCall& c, absl::string_view op, ir::BinaryOp comparison,
                                 bool swapped = false) {
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  const Operand x = c.Arg(swapped ? 1 : 0), y = c.Arg(swapped ? 0 : 1);
  // TFLite orders int16 as it is, and tests it for equality by its real values.
  const bool ordered = comparison != ir::BinaryOp::kEq && comparison != ir::BinaryOp::kNe;
  if (!IsQuantizedBinary(c) || (ordered && c.TypeOf(x) == DType::Int(16))) {
    return c.Op(op, {c.Arg(0), c.Arg(1)});
  }
  const Affine a = c.InAffine(swapped ? 1 : 0), b = c.InAffine(swapped ? 0 : 1);
  if (!(a.scale < 1) || !(b.scale < 1)) {
    return c.Unsupported() << "a comparison of scales of 1 and more, which TFLM aborts at";
  }
  return c.Elementwise(
      "compare", {x, y},
      [&](ScalarMath& m, const Scalars& v) {
        const auto real = [&](PrimRef q, const Affine& affine) {
          const PrimRef up = m.ir().Int(1 << 8, DType::Int(32));
          return ScaledTwice(m, m.Mul(SubtractZeroPoint(m, q, affine.zero), up),
                             FixedFactorOf(affine.scale));
        };
        return m.Binary(comparison, real(v[0], a), real(v[1], b));
      },
      DType::Bool());
}

}  // namespace

absl::StatusOr<Results> ImportEqual(OpCall& c) {
  return Compared(c, "relax.equal", ir::BinaryOp::kEq);
}
absl::StatusOr<Results> ImportNotEqual(OpCall& c) {
  return Compared(c, "relax.not_equal", ir::BinaryOp::kNe);
}
absl::StatusOr<Results> ImportLess(OpCall& c) {
  return Compared(c, "relax.less", ir::BinaryOp::kLt);
}
absl::StatusOr<Results> ImportLessEqual(OpCall& c) {
  return Compared(c, "relax.less_equal", ir::BinaryOp::kLe);
}
absl::StatusOr<Results> ImportGreater(OpCall& c) {
  return Compared(c, "relax.greater", ir::BinaryOp::kLt, /*swapped=*/true);
}
absl::StatusOr<Results> ImportGreaterEqual(OpCall& c) {
  return Compared(c, "relax.greater_equal", ir::BinaryOp::kLe, /*swapped=*/true);
}

namespace {

// Integers are compared as they are: TFLM ignores differences of scales.
absl::StatusOr<Results> Direct(OpCall& c, absl::string_view op) {
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  return c.Op(op, {c.Arg(0), c.Arg(1)});
}

}  // namespace

absl::StatusOr<Results> ImportMaximum(OpCall& c) { return Direct(c, "relax.maximum"); }
absl::StatusOr<Results> ImportMinimum(OpCall& c) { return Direct(c, "relax.minimum"); }
absl::StatusOr<Results> ImportLogicalAnd(OpCall& c) { return Direct(c, "relax.logical_and"); }
absl::StatusOr<Results> ImportLogicalOr(OpCall& c) { return Direct(c, "relax.logical_or"); }
absl::StatusOr<Results> ImportAtan2(OpCall& c) { return Direct(c, "relax.atan2"); }
absl::StatusOr<Results> ImportBitwiseXor(OpCall& c) { return Direct(c, "relax.bitwise_xor"); }
absl::StatusOr<Results> ImportRightShift(OpCall& c) { return Direct(c, "relax.right_shift"); }

namespace {

// Only floats and integers without a scale.
absl::StatusOr<Results> RealOrWhole(OpCall& c, absl::string_view op) {
  if (IsQuantizedBinary(c)) {
    return c.Unsupported() << c.op() << " of quantized " << TypeName(c.In(0).type);
  }
  return Direct(c, op);
}

}  // namespace

absl::StatusOr<Results> ImportPow(OpCall& c) { return RealOrWhole(c, "relax.power"); }

// Floats are divided in double precision: a quotient that rounds up to an integer in float32 is
// below it.
absl::StatusOr<Results> ImportFloorDiv(OpCall& c) {
  if (!c.TypeOf(c.Arg(0)).is_floating()) return RealOrWhole(c, "relax.floor_divide");
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  return c.Elementwise("floor_div", {c.Arg(0), c.Arg(1)}, [](ScalarMath& m, const Scalars& v) {
    const DType wide = DType::Float(64);
    const PrimRef quotient = m.Div(m.Cast(v[0], wide), m.Cast(v[1], wide));
    return m.Cast(m.Call("floor", {quotient}), v[0]->dtype());
  });
}

// Floats by the remainder of C, with the sign of the divisor.
absl::StatusOr<Results> ImportFloorMod(OpCall& c) {
  if (!c.TypeOf(c.Arg(0)).is_floating()) return RealOrWhole(c, "relax.floor_mod");
  LATHE_RETURN_IF_ERROR(RequirePair(c));
  return c.Elementwise("floor_mod", {c.Arg(0), c.Arg(1)}, [](ScalarMath& m, const Scalars& v) {
    const PrimRef zero = m.Const(0, v[0]->dtype()), rest = m.Call("fmod", {v[0], v[1]});
    const PrimRef other = m.Ne(m.Lt(v[1], zero), m.Lt(rest, zero));
    return m.Select(m.And(m.Ne(rest, zero), other), m.Add(rest, v[1]), rest);
  });
}

}  // namespace lathe::tflite
