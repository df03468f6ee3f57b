// Imports SignalRfft and SignalIrfft: the transform of real samples by one of half the length,
// whose complex numbers are pairs of samples.
#include <algorithm>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/complex_numbers.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/fft_stages.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

enum FftInput { kFftData, kFftOrder, kFftTwiddles, kFftSplit };

struct FftForm {
  DType sample;
  int64_t rows = 1, width = 0;  // of the input
  int64_t used = 0;             // samples of a row that are transformed
  int64_t half = 0;             // the length of the transform of pairs
  bool inverse = false;
  std::vector<int64_t> factors;
};

absl::StatusOr<FftForm> FftFormOf(OpCall& c, bool inverse) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  FftForm f;
  f.inverse = inverse;
  f.sample = c.TypeOf(c.Arg(0));
  if (f.sample != DType::Int(16) && f.sample != DType::Int(32) && f.sample != kReal) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type)
                           << "; int16, int32 and float32 are supported";
  }
  const int64_t length = options.Int("fft_length");
  f.half = length / 2;
  f.factors = FftFactors(f.half);
  if (length < 4 || length > kLongestTransform || length % 2 != 0 || f.factors.empty()) {
    return c.Unsupported() << "a transform of " << length << " samples; supported are powers of 2 "
                           << "from 4 to " << kLongestTransform;
  }
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (shape.empty() || ElementCount(shape) == 0) return c.Error() << "its data are empty";
  f.width = shape.back();
  f.rows = ElementCount(shape) / f.width;
  f.used = f.width;
  if (inverse ? f.width != length + 2 : f.width > length) {
    return c.Error() << "a row of its data has " << f.width << " numbers; a transform of " << length
                     << " samples takes " << (inverse ? "" : "up to ")
                     << (inverse ? length + 2 : length);
  }
  return f;
}

// The data, and tables of the transform.
Operands FftArgs(OpCall& c, const FftForm& f, const Operand& data, std::vector<int64_t> shape) {
  const auto table = [&](DType dtype, std::vector<int64_t> dims, const std::vector<double>& v) {
    return c.builder().Constant(dtype, std::move(dims), v);
  };
  std::vector<double> order(static_cast<size_t>(f.half));
  const std::vector<int64_t> read = FftReadOrder(f.half, f.factors);
  for (size_t i = 0; i < read.size(); ++i) {
    const auto place = static_cast<size_t>(read[i]);
    // The inverse writes where the first stage reads.
    order[f.inverse ? place : i] = static_cast<double>(f.inverse ? i : place);
  }
  const auto half = static_cast<double>(f.half);
  const double sign = f.inverse ? 1 : -1;
  return {c.Reshape(data, c.DimsFrom(std::move(shape))), table(kWide, {f.half}, order),
          table(f.sample, {f.half, 2}, FftTwiddles(f.sample, f.half, 0, sign * 2 / half)),
          table(f.sample, {f.half / 2, 2},
                FftTwiddles(f.sample, f.half / 2, sign * (0.5 + 1 / half), sign / half))};
}

// Zeros follow the input.
PrimRef PaddedSample(Te& te, const FftForm& f, PrimRef row, PrimRef i) {
  ScalarMath& m = te.math();
  return m.IfThenElse(m.Lt(i, m.Int(f.used)), te.At(te.Input(kFftData), {row, i}),
                      m.Const(0, f.sample));
}

// Splits the transform of pairs into the one of single samples.
void SplitPairs(Te& te, ops::Statements& s, FftStages& stages, const FftForm& f, BufferRef out,
                PrimRef row) {
  ScalarMath& m = te.math();
  const PrimRef none = m.Const(0, stages.wide());
  const auto put = [&](PrimRef i, FftNumber a) { stages.Store(s, out, {row, i}, a); };
  const FftNumber dc = FftStages::Let(s, "dc", stages.Divided(stages.At(m.Int(0)), 2));
  put(m.Int(0), {m.Add(dc.re, dc.im), none});
  put(m.Int(f.half), {m.Sub(dc.re, dc.im), none});
  s.For("k", m.Int(f.half / 2), [&](PrimRef before) {
    const PrimRef k = m.Add(before, m.Int(1)), other = m.Sub(m.Int(f.half), k);
    const FftNumber mirrored = stages.Conjugate(stages.At(other));
    const FftNumber a = FftStages::Let(s, "a", stages.Divided(stages.At(k), 2));
    const FftNumber b = FftStages::Let(s, "b", stages.Divided(mirrored, 2));
    const FftNumber sum = FftStages::Let(s, "sum", stages.Plus(a, b));
    const FftNumber turned = FftStages::Let(
        s, "turned", stages.Times(stages.Minus(a, b), stages.Twiddle(kFftSplit, before)));
    put(k, {stages.Half(m.Add(sum.re, turned.re)), stages.Half(m.Add(sum.im, turned.im))});
    put(other, {stages.Half(m.Sub(sum.re, turned.re)), stages.Half(m.Sub(turned.im, sum.im))});
  });
}

// The opposite: joins the numbers of single samples to those of pairs, in the order of the stages.
void JoinPairs(Te& te, ops::Statements& s, FftStages& stages, const FftForm& f, BufferRef work,
               PrimRef row) {
  ScalarMath& m = te.math();
  const auto at = [&](PrimRef i) { return stages.Pair(te.Input(kFftData), {row, i}); };
  const auto put = [&](PrimRef i, FftNumber a) {
    const PrimRef place = te.At(te.Input(kFftOrder), {i});
    stages.Store(s, work, {m.Max(m.Min(place, m.Int(f.half - 1)), m.Int(0))}, a);
  };
  const FftNumber dc = at(m.Int(0)), highest = at(m.Int(f.half));
  put(m.Int(0),
      stages.Divided(
          {stages.Wrapped(m.Add(dc.re, highest.re)), stages.Wrapped(m.Sub(dc.re, highest.re))}, 2));
  s.For("k", m.Int(f.half / 2), [&](PrimRef before) {
    const PrimRef k = m.Add(before, m.Int(1)), other = m.Sub(m.Int(f.half), k);
    const FftNumber a = FftStages::Let(s, "a", stages.Divided(at(k), 2));
    const FftNumber b = FftStages::Let(s, "b", stages.Divided(stages.Conjugate(at(other)), 2));
    const FftNumber even = FftStages::Let(s, "even", stages.Plus(a, b));
    const FftNumber odd = FftStages::Let(
        s, "odd", stages.Times(stages.Minus(a, b), stages.Twiddle(kFftSplit, before)));
    put(k, stages.Plus(even, odd));
    const FftNumber rest = stages.Minus(even, odd);
    put(other, {rest.re, m.Neg(rest.im)});
  });
}

// The numbers of rows of samples: (rows, half + 1, 2).
Operand TransformRows(OpCall& c, const FftForm& f, const Operand& data) {
  return c.Kernel("rfft", FftArgs(c, f, data, {f.rows, f.width}), [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef work = te.Allocate("work", c.DimsFrom({f.half, 2}), f.sample);
    const BufferRef out = te.Allocate("out", c.DimsFrom({f.rows, f.half + 1, 2}), f.sample);
    FftStages stages(te, f.sample, f.half, f.inverse, work, kFftTwiddles);
    te.Run("rows", c.DimsFrom({f.rows}), [&](ops::Statements& s, const Indices& row) {
      s.For("i", m.Int(f.half), [&](PrimRef i) {
        const PrimRef from = m.Mul(te.At(te.Input(kFftOrder), {i}), m.Int(2));
        for (int64_t part = 0; part < 2; ++part) {
          s.Store(work, {i, m.Int(part)}, PaddedSample(te, f, row[0], m.Add(from, m.Int(part))));
        }
      });
      stages.Write(s, f.factors);
      SplitPairs(te, s, stages, f, out, row[0]);
    });
    return out;
  });
}

}  // namespace

Operand RealTransform(OpCall& c, const Operand& data, int64_t width, int64_t length) {
  FftForm f;
  f.sample = kReal;
  f.width = width;
  f.rows = ElementCount(c.Shape(data)) / width;
  f.used = std::min(width, length);
  f.half = length / 2;
  f.factors = FftFactors(f.half);
  return TransformRows(c, f, data);
}

absl::StatusOr<Results> ImportSignalRfft(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const FftForm f, FftFormOf(c, /*inverse=*/false));
  return c.Reshape(TransformRows(c, f, c.Arg(0)), c.OutDims());
}

absl::StatusOr<Results> ImportSignalIrfft(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const FftForm f, FftFormOf(c, /*inverse=*/true));
  const Operand made =
      c.Kernel("irfft", FftArgs(c, f, c.Arg(0), {f.rows, f.half + 1, 2}), [&](Te& te) {
        ScalarMath& m = te.math();
        const BufferRef work = te.Allocate("work", c.DimsFrom({f.half, 2}), f.sample);
        const BufferRef out = te.Allocate("out", c.DimsFrom({f.rows, f.half, 2}), f.sample);
        FftStages stages(te, f.sample, f.half, f.inverse, work, kFftTwiddles);
        te.Run("rows", c.DimsFrom({f.rows}), [&](ops::Statements& s, const Indices& row) {
          JoinPairs(te, s, stages, f, work, row[0]);
          stages.Write(s, f.factors);
          s.For("i", m.Int(f.half), [&](PrimRef i) {
            FftNumber value = stages.At(i);
            if (f.sample.is_floating()) {
              // Integers are divided by the stages.
              const PrimRef length = m.Const(static_cast<double>(2 * f.half), f.sample);
              value = {m.Div(value.re, length), m.Div(value.im, length)};
            }
            stages.Store(s, out, {row[0], i}, value);
          });
        });
        return out;
      });
  return c.Reshape(made, c.OutDims());
}

}  // namespace lathe::tflite
