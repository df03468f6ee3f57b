// Imports reductions over axes, ARG_MAX and ARG_MIN, CUMSUM and L2_NORMALIZATION.
#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/inverse_sqrt.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ops::FixedFactor;

struct ReduceForm {
  std::vector<int> axes;
  int64_t count = 1;  // elements of one result
};

absl::StatusOr<ReduceForm> ReduceFormOf(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> written, c.NeedInts(1, "the axes"));
  ReduceForm form;
  const int rank = c.Rank(c.Arg(0));
  for (const int64_t axis : written) {
    LATHE_ASSIGN_OR_RETURN(const int normal, c.Axis(axis, rank));
    // An axis may be named twice.
    if (std::find(form.axes.begin(), form.axes.end(), normal) == form.axes.end()) {
      form.axes.push_back(normal);
      form.count *= c.In(0).shape[static_cast<size_t>(normal)];
    }
  }
  std::sort(form.axes.begin(), form.axes.end());
  return form;
}

Operand Reduced(OpCall& c, absl::string_view op, const Operand& x, const ReduceForm& form) {
  if (form.axes.empty()) return x;
  ir::AttrList axes;
  for (const int axis : form.axes) axes.emplace_back(axis);
  return c.Op(op, {x}, {{"axis", std::move(axes)}, {"keepdims", c.Int("keep_dims") != 0}});
}

// Converts sums to the result: (sum - count * zero) * factor + zero.
Operand RescaledSum(OpCall& c, const Operand& sum, const ReduceForm& form, const FixedFactor& by) {
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const DType dtype = c.OutType();
  const IntegerRange range = RangeOf(dtype);
  return c.Elementwise(
      "rescale", {sum},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef centred = m.Sub(v[0], m.ir().Int(form.count * in.zero, kWhole));
        const PrimRef scaled = ops::ScaledTwice(m, centred, by);
        const PrimRef clipped =
            ops::ClippedTo(m, scaled, range.low - out.zero, range.high - out.zero, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(out.zero, kWhole)), dtype);
      },
      dtype);
}

absl::StatusOr<Results> SumOrMean(OpCall& c, bool mean) {
  LATHE_ASSIGN_OR_RETURN(const ReduceForm form, ReduceFormOf(c));
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  if (c.In(0).type != c.Out().type) return c.Error() << "data and result have different types";
  if (!IsSmallInteger(dtype) || !c.IsQuantized(0)) {
    if (mean && dtype.is_integer()) {
      // Rounds toward zero.
      const Operand sum = Reduced(c, "relax.sum", x, form);
      return c.Elementwise("mean", {sum}, [&](ScalarMath& m, const Scalars& v) {
        return m.Binary(ir::BinaryOp::kDiv, v[0],
                        m.ir().Int(std::max<int64_t>(form.count, 1), dtype));
      });
    }
    return Reduced(c, mean ? "relax.mean" : "relax.sum", x, form);
  }
  const Affine in = c.InAffine(0), out = c.OutAffine();
  if (!(in.scale > 0) || !(out.scale > 0)) return c.Error() << "a scale is not positive";
  if (form.count <= 0) return c.Error() << "it reduces no elements";
  FixedFactor by = ops::FixedFactorOf(in.scale / out.scale);
  if (mean) {
    int bits = 0;
    while (bits < 32 && (form.count >> (bits + 1)) != 0) ++bits;
    bits = std::max(0, std::min({bits, 32, 31 + by.shift}));
    by.mantissa = by.mantissa * (int64_t{1} << bits) / form.count;
    by.shift -= bits;
  }
  return RescaledSum(c, Reduced(c, "relax.sum", c.Cast(x, kWhole), form), form, by);
}

absl::StatusOr<Results> Extreme(OpCall& c, absl::string_view op) {
  LATHE_ASSIGN_OR_RETURN(const ReduceForm form, ReduceFormOf(c));
  if (c.In(0).type != c.Out().type) return c.Error() << "data and result have different types";
  if (c.IsQuantized(0) && c.InAffine(0) != c.OutAffine()) {
    return c.Unsupported() << c.op() << " between different scales or zero points";
  }
  const Operand found = Reduced(c, op, c.Arg(0), form);
  const DType dtype = c.TypeOf(found);
  if (form.count != 0 || !dtype.is_floating()) return found;
  // The extreme of no elements is the last finite number.
  const bool most = op == "relax.max";
  const double last = static_cast<double>(std::numeric_limits<float>::max());
  return c.Op(most ? "relax.maximum" : "relax.minimum",
              {found, c.Number(most ? -last : last, dtype)});
}

// Booleans as int8, whose maximum is "any" and whose minimum is "all".
absl::StatusOr<Results> Quantified(OpCall& c, absl::string_view op) {
  LATHE_ASSIGN_OR_RETURN(const ReduceForm form, ReduceFormOf(c));
  if (!c.TypeOf(c.Arg(0)).is_bool()) {
    return c.Error() << "data must be bool, not " << TypeName(c.In(0).type);
  }
  return c.Cast(Reduced(c, op, c.Cast(c.Arg(0), DType::Int(8)), form), DType::Bool());
}

}  // namespace

absl::StatusOr<Results> ImportMean(OpCall& c) { return SumOrMean(c, true); }
absl::StatusOr<Results> ImportSum(OpCall& c) { return SumOrMean(c, false); }
absl::StatusOr<Results> ImportReduceMax(OpCall& c) { return Extreme(c, "relax.max"); }
absl::StatusOr<Results> ImportReduceMin(OpCall& c) { return Extreme(c, "relax.min"); }
absl::StatusOr<Results> ImportReduceAny(OpCall& c) { return Quantified(c, "relax.max"); }
absl::StatusOr<Results> ImportReduceAll(OpCall& c) { return Quantified(c, "relax.min"); }

absl::StatusOr<Results> ImportReduceProd(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const ReduceForm form, ReduceFormOf(c));
  if (c.IsQuantized(0)) return c.Unsupported() << "REDUCE_PROD of quantized integers";
  return Reduced(c, "relax.prod", c.Arg(0), form);
}

namespace {

absl::StatusOr<Results> Place(OpCall& c, absl::string_view op) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, c.NeedInts(1, "the axis"));
  if (axis.size() != 1) return c.Error() << "it needs one axis, and has " << axis.size();
  LATHE_ASSIGN_OR_RETURN(const int normal, c.Axis(axis[0], c.Rank(c.Arg(0))));
  return c.Cast(c.Op(op, {c.Arg(0)}, {{"axis", normal}}), c.OutType());
}

}  // namespace

absl::StatusOr<Results> ImportArgMax(OpCall& c) { return Place(c, "relax.argmax"); }
absl::StatusOr<Results> ImportArgMin(OpCall& c) { return Place(c, "relax.argmin"); }

absl::StatusOr<Results> ImportCumsum(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> written, c.NeedInts(1, "the axis"));
  if (written.size() != 1) return c.Error() << "it needs one axis, and has " << written.size();
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(written[0], c.Rank(x)));
  const bool reverse = c.Int("reverse") != 0, exclusive = c.Int("exclusive") != 0;
  const auto reversed = [&](const Operand& y) {
    return reverse ? c.Op("relax.flip", {y}, {{"axis", axis}}) : y;
  };
  const auto summed = [&](const Operand& y, DType sums) {
    return reversed(c.Op("relax.cumsum", {reversed(y)},
                         {{"axis", axis}, {"dtype", sums}, {"exclusive", exclusive}}));
  };
  if (!IsSmallInteger(dtype) || !c.IsQuantized(0)) return summed(x, dtype);
  constexpr int kBits = 20;
  const Affine in = c.InAffine(0), out = c.OutAffine();
  const FixedFactor half = ops::FixedFactorOf(0.5);
  const FixedFactor by = ops::FixedFactorOf(2 * in.scale / (std::ldexp(1.0, kBits) * out.scale));
  const Operand lifted = c.Elementwise(
      "lift", {x},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef up = m.ir().Int(1 << kBits, kWhole);
        return ops::ScaledTwice(m, m.Mul(SubtractZeroPoint(m, v[0], in.zero), up), half);
      },
      kWhole);
  const IntegerRange range = RangeOf(dtype);
  // TFLM starts the sum with a zero point.
  const int64_t start = ScaledTwiceOf(static_cast<int32_t>(-in.zero * (1 << kBits)), half);
  return c.Elementwise(
      "rescale", {summed(lifted, kWhole)},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef sum = m.Add(v[0], m.ir().Int(start, kWhole));
        const PrimRef clipped = ops::ClippedTo(m, ops::ScaledTwice(m, sum, by),
                                               range.low - out.zero, range.high - out.zero, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(out.zero, kWhole)), dtype);
      },
      dtype);
}

namespace {

// TFLM assumes a result scale of 1/128. LiteRT's uint8 brings the values to it before the product.
Operand QuantizedL2Norm(OpCall& c, const Operand& x, int64_t zero) {
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  const DType dtype = c.TypeOf(x);
  constexpr int kUnitBits = 7;
  const int early = dtype.is_uint() ? kUnitBits : 0;
  const int64_t middle = dtype.is_uint() ? 128 : 0;
  return c.Kernel("l2_normalize", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto value = [&](PrimRef row, PrimRef k) {
      return SubtractZeroPoint(m, te.At(te.Input(0), {row, k}), zero);
    };
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(kWhole), [&](const Indices& at, const Indices& r) {
          const PrimRef v = value(at[0], r[0]);
          return m.Mul(v, v);
        });
    const BufferRef mantissa = te.Allocate("mantissa", rows, kWhole);
    const BufferRef shift = te.Allocate("shift", rows, kWhole);
    te.Run("inverse_sqrt", rows, [&](ops::Statements& s, const Indices& at) {
      const InverseSqrt inverse = EmitInverseSqrt(s, m, s.Let("v", te.At(sum, at)));
      s.Store(mantissa, at, inverse.mantissa);
      s.Store(shift, at, m.Add(inverse.shift, m.ir().Int(kUnitBits - early, kWhole)));
    });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef lifted = m.Mul(value(at[0], at[1]), m.ir().Int(1 << early, kWhole));
      const PrimRef scaled =
          ops::ScaledTwice(m, lifted, te.At(mantissa, {at[0]}), te.At(shift, {at[0]}));
      return m.Cast(m.Add(ops::ClippedTo(m, scaled, -128, 127, kWhole), m.ir().Int(middle, kWhole)),
                    dtype);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportL2Normalization(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const int rank = c.Rank(x);
  if (rank == 0) return c.Error() << "data must have at least one dimension";
  const Dims dims = c.DimsOf(x);
  const auto last = static_cast<size_t>(rank - 1);
  if (dtype == DType::Float(32)) {
    const Operand squares = c.Op("relax.multiply", {x, x});
    const Operand sum =
        c.Op("relax.sum", {squares}, {{"axis", ir::AttrList{-1}}, {"keepdims", true}});
    const Operand norm = c.Op("relax.sqrt", {sum});
    const Operand least = c.Op("relax.maximum", {norm, c.Number(1e-6, dtype)});
    return FloatActivation(c, c.Op("relax.divide", {x, least}), c.Int("activation"));
  }
  if (dtype != DType::Int(8) && dtype != DType::UInt(8)) {
    return c.Unsupported() << "L2_NORMALIZATION of " << TypeName(c.In(0).type)
                           << "; supported are float32, int8 and uint8";
  }
  const Operand rows = c.Reshape(x, {c.Product(dims, 0, last), dims[last]});
  return c.Reshape(QuantizedL2Norm(c, rows, c.InAffine(0).zero), dims);
}

}  // namespace lathe::tflite
