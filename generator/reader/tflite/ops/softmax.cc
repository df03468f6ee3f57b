// Imports SOFTMAX and LOG_SOFTMAX. Integers use the fixed-point definitions: exponentials of
// differences from the largest value come from a table, and one reciprocal per row is computed.
#include <algorithm>
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fixed_point_functions.h"
#include "generator/reader/tflite/ops/int16_tables.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int kSumShift = 12;  // integer bits of the sum
constexpr int kByteValues = 256;

// Exponentials in Q0 of the differences 0 to -255. Ends with -1 if the rest is too small to count.
std::vector<double> ExpTable(double factor) {
  constexpr int kIntegerBits = 5, kFractionBits = 26;
  const ops::FixedFactor by =
      ops::FixedFactorOf(std::min(factor * std::ldexp(1.0, kFractionBits), 2147483647.0));
  const double radius = std::floor(((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits) /
                                   std::ldexp(1.0, by.shift));
  std::vector<double> table;
  for (int d = 0; d < kByteValues; ++d) {
    if (-d < -radius) {
      table.push_back(-1);
      continue;
    }
    const ops::FixedFactor mantissa = {by.mantissa, 0};
    const int32_t lifted =
        static_cast<int32_t>(-int64_t{d} * (int64_t{1} << std::max(by.shift, 0)));
    table.push_back(ExpOf(ScaledTwiceOf(lifted, mantissa), kIntegerBits));
  }
  // Those that follow the first -1 are equal.
  const auto last = std::find(table.begin(), table.end(), -1);
  if (last != table.end()) table.erase(last + 1, table.end());
  return table;
}

// 1 / (1 + a) in Q0 for `a` in Q0, as ReciprocalOf of fixed_point_functions.cc. The sums of its
// steps saturate for no `a`, and the last product for the largest result only.
PrimRef Reciprocal(ops::Statements& s, ScalarMath& m, PrimRef a) {
  const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
  const PrimRef half = s.Let(
      "half", m.Add(m.Binary(ir::BinaryOp::kShr, m.Cast(a, kWhole), number(1)), number(1 << 30)));
  PrimRef x = s.Let("x", m.Add(number(1515870810), ops::HighProduct(m, half, number(-1010580540))));
  for (int i = 0; i < 3; ++i) {
    const PrimRef rest = s.Let("rest", m.Sub(number(1 << 29), ops::HighProduct(m, half, x)));
    x = s.Let("x", m.Add(x, m.Mul(ops::HighProduct(m, x, rest), number(4))));
  }
  const PrimRef largest = number(RangeOf(kWhole).high);
  return s.Let("reciprocal", m.Select(m.Lt(x, number(1 << 30)), m.Mul(x, number(2)), largest));
}

// Row by row: x has dimensions [rows, depth].
Operand ByteSoftmax(OpCall& c, const Operand& x, DType out) {
  std::vector<double> table = ExpTable(c.Float("beta") * c.InAffine(0).scale);
  const int64_t entries = std::ssize(table);
  const Operand exps =
      c.builder().Emit(c.builder().Constant(kWhole, {entries}, std::move(table)), "exponentials");
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  const IntegerRange range = RangeOf(out);
  return c.Kernel("softmax", {x, exps}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
    const auto value = [&](PrimRef row, PrimRef k) {
      return m.Cast(te.At(te.Input(0), {row, k}), kWhole);
    };
    const BufferRef largest =
        te.Reduce("largest", rows, depth, te.Max(kWhole),
                  [&](const Indices& at, const Indices& r) { return value(at[0], r[0]); });
    const auto exp = [&](PrimRef row, PrimRef k) {
      const PrimRef below = m.Sub(te.At(largest, {row}), value(row, k));
      // The difference is 0 to 255 already; the mask lets the index be proven.
      PrimRef index = m.Binary(ir::BinaryOp::kBitAnd, below, number(kByteValues - 1));
      if (entries < kByteValues) index = m.Min(index, number(entries - 1));
      return te.At(te.Input(1), {m.Cast(index, kWide)});
    };
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(kWhole), [&](const Indices& at, const Indices& r) {
          return ops::RoundedShift(m, m.Max(exp(at[0], r[0]), number(0)), kSumShift);
        });
    const BufferRef leading = te.Compute("leading", rows, kWhole, [&](const Indices& at) {
      return m.Call("clz", {te.At(sum, at)});
    });
    const BufferRef scale = te.Allocate("scale", rows, kWhole);
    te.Run("reciprocal", rows, [&](ops::Statements& s, const Indices& at) {
      // Without its first one, by wrapping around.
      const PrimRef lifted = m.Binary(ir::BinaryOp::kShl, te.At(sum, at), te.At(leading, at));
      const PrimRef above = m.Add(lifted, number(RangeOf(kWhole).low));
      s.Store(scale, at, Reciprocal(s, m, s.Let("above", above)));
    });
    return te.Compute("out", dims, out, [&](const Indices& at) {
      const PrimRef e = exp(at[0], at[1]);
      const PrimRef product = ops::HighProduct(m, te.At(scale, {at[0]}), m.Max(e, number(0)));
      const PrimRef shift = m.Sub(number(kSumShift + 31 - out.bits), te.At(leading, {at[0]}));
      const PrimRef moved = m.Add(ops::RoundedShift(m, product, shift), number(range.low));
      return m.Select(m.Lt(e, number(0)), m.ir().Int(range.low, out),
                      ops::ClippedTo(m, moved, range.low, range.high, out));
    });
  });
}

// TFLM's tables of int16: exponentials of [-10, 0] and reciprocals of [1, 2].
constexpr float kExpRange = 10.0F / 65535.0F;

Operand Int16Softmax(OpCall& c, const Operand& x) {
  constexpr float kUnit = 2.0F / 65535.0F, kStep = 1.0F / 65535.0F;
  const Operand exps = c.builder().Constant(
      DType::Int(16), {513},
      Int16Table([](float v) { return std::exp(v); }, kExpRange, 32767, kUnit));
  const Operand inverses = c.builder().Constant(
      DType::Int(16), {513},
      Int16Table([](float v) { return 1.0F / (1.0F + v); }, kStep, -32768, kUnit));
  const double range = 10.0 / 65535.0;
  const ops::FixedFactor by = ops::FixedFactorOf(c.InAffine(0).scale * c.Float("beta") / range);
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  return c.Kernel("softmax", {x, exps, inverses}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
    const auto clipped = [&](PrimRef v) { return ops::ClippedTo(m, v, -32768, 32767, kWhole); };
    const auto value = [&](PrimRef row, PrimRef k) {
      return m.Cast(te.At(te.Input(0), {row, k}), kWhole);
    };
    const BufferRef largest =
        te.Reduce("largest", rows, depth, te.Max(kWhole),
                  [&](const Indices& at, const Indices& r) { return value(at[0], r[0]); });
    const BufferRef exp = te.Compute("exp", dims, kWhole, [&](const Indices& at) {
      const PrimRef below = m.Sub(value(at[0], at[1]), te.At(largest, {at[0]}));
      return Interpolated(te, te.Input(1),
                          clipped(m.Add(ops::ScaledTwice(m, below, by), number(32767))));
    });
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(kWhole), [&](const Indices& at, const Indices& r) {
          return te.At(exp, {at[0], r[0]});
        });
    const BufferRef leading = te.Compute("leading", rows, kWhole, [&](const Indices& at) {
      return m.Call("clz", {te.At(sum, at)});
    });
    const BufferRef inverse = te.Allocate("inverse", rows, kWhole);
    te.Run("reciprocal", rows, [&](ops::Statements& s, const Indices& at) {
      const PrimRef up = m.Cast(m.Sub(te.At(leading, at), number(1)), kWide);
      const PrimRef lifted =
          m.Mul(m.Cast(te.At(sum, at), kWide), m.Binary(ir::BinaryOp::kShl, m.Int(1), up));
      const PrimRef top = m.Binary(ir::BinaryOp::kShr, m.Add(lifted, m.Int(1 << 13)), m.Int(14));
      const PrimRef place = clipped(m.Cast(m.Sub(top, m.Int((1 << 15) + (1 << 16))), kWhole));
      s.Store(inverse, at, Interpolated(te, te.Input(2), s.Let("place", place)));
    });
    return te.Compute("out", dims, DType::Int(16), [&](const Indices& at) {
      const PrimRef by_row = m.Cast(m.Sub(number(31), te.At(leading, {at[0]})), kWide);
      const PrimRef half = m.Binary(ir::BinaryOp::kShl, m.Int(1), m.Sub(by_row, m.Int(1)));
      const PrimRef product =
          m.Mul(m.Cast(te.At(exp, at), kWide), m.Cast(te.At(inverse, {at[0]}), kWide));
      const PrimRef rounded = m.Binary(ir::BinaryOp::kShr, m.Add(product, half), by_row);
      return ops::ClippedTo(m, rounded, 0, 32767, DType::Int(16));
    });
  });
}

// exp((x - largest) * beta), divided by its sum; relax.nn.softmax rounds differently, as it
// multiplies by the reciprocal. float16 is computed in float32, and its powers are rounded.
Operand RealSoftmax(OpCall& c, const Operand& x) {
  const double beta = c.Float("beta");
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  const DType dtype = c.TypeOf(x), real = dtype.bits < kReal.bits ? kReal : dtype;
  return c.Kernel("softmax", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef largest =
        te.Reduce("largest", rows, depth, te.Max(dtype), [&](const Indices& at, const Indices& r) {
          return te.At(te.Input(0), {at[0], r[0]});
        });
    const BufferRef powers = te.Compute("powers", dims, real, [&](const Indices& at) {
      const PrimRef below =
          m.Sub(m.Cast(te.At(te.Input(0), at), real), m.Cast(te.At(largest, {at[0]}), real));
      return m.Call("exp", {beta == 1 ? below : m.Mul(below, m.Const(beta, real))});
    });
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(real), [&](const Indices& at, const Indices& r) {
          return te.At(powers, {at[0], r[0]});
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef power = m.Cast(m.Cast(te.At(powers, at), dtype), real);
      return m.Cast(m.Div(power, te.At(sum, {at[0]})), dtype);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSoftmax(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x), out = c.OutType();
  const int rank = c.Rank(x);
  if (rank == 0) return c.Error() << "data must have at least one dimension";
  const Dims dims = c.DimsOf(x);
  const auto last = static_cast<size_t>(rank - 1);
  if (dtype.is_floating()) {
    const Operand rows = c.Reshape(x, {c.Product(dims, 0, last), dims[last]});
    return c.Reshape(RealSoftmax(c, rows), dims);
  }
  const bool bytes = (dtype == DType::Int(8) && (out == dtype || out == DType::Int(16))) ||
                     (dtype == DType::UInt(8) && out == dtype);
  const bool int16 = dtype == DType::Int(16) && out == dtype;
  if (!bytes && !int16) {
    return c.Unsupported() << "SOFTMAX of " << TypeName(c.In(0).type) << " with a result of "
                           << TypeName(c.Out().type)
                           << "; supported are float32, int8, uint8, int8 to int16, and int16";
  }
  const Operand rows = c.Reshape(x, {c.Product(dims, 0, last), dims[last]});
  const Operand made = bytes ? ByteSoftmax(c, rows, out) : Int16Softmax(c, rows);
  return c.Reshape(made, dims);
}

namespace {

PrimRef Saturated(ScalarMath& m, PrimRef wide) {
  const IntegerRange all = RangeOf(kWhole);
  return ops::ClippedTo(m, wide, all.low, all.high, kWhole);
}

// The logarithm in Q5 of a sum in Q12 that is 1 or more.
PrimRef Logarithm(ops::Statements& s, ScalarMath& m, PrimRef v) {
  constexpr int64_t kLog2 = 1488522236, kRoot4Half = 1805811301, kRootHalf = 1518500250;
  constexpr int64_t kAlphaN = 117049297, kAlphaD = 127690142, kAlphaI = 1057819769;
  constexpr int64_t kAlphaF = 638450708, kQuarter = 1 << 23;
  const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
  const auto times = [&](PrimRef a, PrimRef b) { return s.Let("p", ops::HighProduct(m, a, b)); };
  const auto lifted = [&](PrimRef x, PrimRef up) {
    const PrimRef unit = m.Binary(ir::BinaryOp::kShl, m.Int(1), m.Cast(up, kWide));
    return s.Let("up", Saturated(m, m.Mul(m.Cast(x, kWide), unit)));
  };
  const auto power = [&](PrimRef room, int64_t more) {
    const PrimRef whole = m.Mul(m.Sub(number(kSumShift), room), number(1 << 25));
    return s.Let("power", m.Add(whole, number(more)));
  };
  const PrimRef zeros = s.Let("zeros", m.Call("clz", {v}));
  const PrimRef near =
      lifted(times(lifted(v, m.Sub(zeros, number(1))), number(kRootHalf)), number(1));
  const PrimRef room =
      s.Let("room", m.Sub(m.Call("clz", {times(v, number(kRootHalf))}), number(1)));
  const PrimRef r = s.Let("r", m.Min(near, lifted(v, room)));
  const PrimRef exponent = m.Max(power(zeros, kQuarter), power(room, -kQuarter));
  const PrimRef sum = m.Add(m.Cast(r, kWide), m.Int(kRoot4Half + 1));
  const PrimRef p = s.Let("p", m.Cast(m.Binary(ir::BinaryOp::kShr, sum, m.Int(1)), kWhole));
  const PrimRef q = s.Let("q", m.Mul(m.Sub(r, number(kRoot4Half)), number(2)));
  const PrimRef square = times(q, q);
  const PrimRef above = m.Add(times(q, r), times(times(q, square), number(kAlphaN)));
  const PrimRef inner = m.Add(m.Add(number(kAlphaI), q), times(number(kAlphaD), square));
  const PrimRef below =
      s.Let("below", m.Add(times(p, s.Let("inner", inner)), times(number(kAlphaF), q)));
  const PrimRef ratio =
      times(s.Let("above", ops::RoundedShift(m, above, 6)), Reciprocal(s, m, below));
  return lifted(m.Add(times(exponent, number(kLog2)), ratio), number(1));
}

// Row by row, with a result scale of 1/16 and the largest integer as zero point.
Operand ByteLogSoftmax(OpCall& c, const Operand& x) {
  constexpr int kFractionBits = 26;
  const double factor =
      std::min(c.InAffine(0).scale * std::ldexp(1.0, kFractionBits), 2147483647.0);
  const ops::FixedFactor by = ops::FixedFactorOf(factor);
  const ops::FixedFactor back = ops::FixedFactorOf(
      std::ldexp(1.0, 31 - by.shift) / static_cast<double>(std::max<int64_t>(by.mantissa, 1)));
  const std::vector<double> exps = ExpTable(c.InAffine(0).scale);
  std::vector<double> differences, terms;
  int64_t least = -kByteValues;  // of the differences that count
  for (int d = 0; d < kByteValues; ++d) {
    const double e = static_cast<size_t>(d) < exps.size() ? exps[static_cast<size_t>(d)] : -1;
    differences.push_back(ScaledTwiceOf(-d, by));
    terms.push_back(e < 0 ? 0 : RoundedShiftOf(static_cast<int32_t>(e), kSumShift));
    if (e < 0 && least == -kByteValues) least = -d + 1;
  }
  const Operands args = {x, c.builder().Constant(kWhole, {kByteValues}, differences),
                         c.builder().Constant(kWhole, {kByteValues}, terms)};
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  const DType dtype = c.OutType();
  const IntegerRange range = RangeOf(dtype);
  return c.Kernel("log_softmax", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t value) { return m.ir().Int(value, kWhole); };
    const auto value = [&](PrimRef row, PrimRef k) {
      return m.Cast(te.At(te.Input(0), {row, k}), kWhole);
    };
    const BufferRef largest =
        te.Reduce("largest", rows, depth, te.Max(kWhole),
                  [&](const Indices& at, const Indices& r) { return value(at[0], r[0]); });
    const auto below = [&](PrimRef row, PrimRef k) {
      const PrimRef d = m.Sub(te.At(largest, {row}), value(row, k));
      return m.Binary(ir::BinaryOp::kBitAnd, d, number(kByteValues - 1));
    };
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(kWhole), [&](const Indices& at, const Indices& r) {
          return te.At(te.Input(2), {m.Cast(below(at[0], r[0]), kWide)});
        });
    const BufferRef log = te.Allocate("log", rows, kWhole);
    const BufferRef limit = te.Allocate("limit", rows, kWhole);
    te.Run("logarithm", rows, [&](ops::Statements& s, const Indices& at) {
      const PrimRef made = s.Let("log", Logarithm(s, m, s.Let("v", te.At(sum, at))));
      const PrimRef lowest = m.Sub(m.Cast(made, kWide), m.Int(int64_t{1} << 31));
      const PrimRef reach = ops::ScaledTwice(m, s.Let("lowest", m.Cast(lowest, kWhole)), back);
      s.Store(log, at, made);
      s.Store(limit, at, m.Max(number(least - 1), reach));
    });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef d = below(at[0], at[1]);
      const PrimRef real = m.Sub(te.At(te.Input(1), {m.Cast(d, kWide)}), te.At(log, {at[0]}));
      const PrimRef made = m.Add(ops::RoundedShift(m, real, 22), number(range.high));
      return m.Select(m.Lt(te.At(limit, {at[0]}), m.Neg(d)),
                      ops::ClippedTo(m, made, range.low, range.high, dtype),
                      m.ir().Int(range.low, dtype));
    });
  });
}

// x - largest - log(sum of exp(x - largest)).
Operand RealLogSoftmax(OpCall& c, const Operand& x) {
  const Dims dims = c.DimsOf(x), rows = {dims[0]}, depth = {dims[1]};
  const DType dtype = c.TypeOf(x);
  return c.Kernel("log_softmax", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto value = [&](PrimRef row, PrimRef k) { return te.At(te.Input(0), {row, k}); };
    const BufferRef largest =
        te.Reduce("largest", rows, depth, te.Max(dtype),
                  [&](const Indices& at, const Indices& r) { return value(at[0], r[0]); });
    const BufferRef sum =
        te.Reduce("sum", rows, depth, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          return m.Call("exp", {m.Sub(value(at[0], r[0]), te.At(largest, {at[0]}))});
        });
    const BufferRef log = te.Compute(
        "log", rows, dtype, [&](const Indices& at) { return m.Call("log", {te.At(sum, at)}); });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      return m.Sub(m.Sub(value(at[0], at[1]), te.At(largest, {at[0]})), te.At(log, {at[0]}));
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportLogSoftmax(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const int rank = c.Rank(x);
  if (rank == 0) return c.Error() << "data must have at least one dimension";
  const bool bytes = dtype.is_integer() && dtype.bits == 8 && c.IsQuantized(0);
  if (c.OutType() != dtype || (!bytes && dtype != kReal)) {
    return c.Unsupported() << "LOG_SOFTMAX of " << TypeName(c.In(0).type) << " with a result of "
                           << TypeName(c.Out().type) << "; supported are float32, int8 and uint8";
  }
  const Dims dims = c.DimsOf(x);
  const auto last = static_cast<size_t>(rank - 1);
  const Operand rows = c.Reshape(x, {c.Product(dims, 0, last), dims[last]});
  return c.Reshape(bytes ? ByteLogSoftmax(c, rows) : RealLogSoftmax(c, rows), dims);
}

}  // namespace lathe::tflite
