// Imports SignalRfft of int16: the mixed-radix transform with 16-bit rounding after each product,
// in the order of TFLM.
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int64_t kSampleMax = 32767;
constexpr int kFractionBits = 15;

// A complex number of int32 scalars.
struct Complex {
  PrimRef re, im;
};

class FftMath {
 public:
  explicit FftMath(ScalarMath& m) : m_(m) {}

  PrimRef Number(int64_t v) { return m_.ir().Int(v, kWhole); }
  PrimRef Rounded(PrimRef x) {
    const PrimRef half = m_.Add(x, Number(1 << (kFractionBits - 1)));
    return m_.Binary(ir::BinaryOp::kShr, half, Number(kFractionBits));
  }
  Complex Divided(Complex a, int64_t by) {
    const PrimRef factor = Number(kSampleMax / by);
    return {Rounded(m_.Mul(a.re, factor)), Rounded(m_.Mul(a.im, factor))};
  }
  Complex Times(Complex a, Complex b) {
    return {Rounded(m_.Sub(m_.Mul(a.re, b.re), m_.Mul(a.im, b.im))),
            Rounded(m_.Add(m_.Mul(a.re, b.im), m_.Mul(a.im, b.re)))};
  }
  Complex Plus(Complex a, Complex b) { return {m_.Add(a.re, b.re), m_.Add(a.im, b.im)}; }
  Complex Minus(Complex a, Complex b) { return {m_.Sub(a.re, b.re), m_.Sub(a.im, b.im)}; }

 private:
  ScalarMath& m_;
};

// The factors of a length, 4 before 2; empty if others are left.
std::vector<int64_t> FactorsOf(int64_t length) {
  std::vector<int64_t> factors;
  while (length % 4 == 0) {
    factors.push_back(4);
    length /= 4;
  }
  if (length == 2) factors.push_back(2);
  return length > 2 ? std::vector<int64_t>{} : factors;
}

// Where the recursion reads element i of its first pass: digits in reverse order.
std::vector<double> ReadOrder(int64_t length, const std::vector<int64_t>& factors) {
  std::vector<double> order;
  for (int64_t i = 0; i < length; ++i) {
    int64_t place = 0, stride = 1, block = length, rest = i;
    for (const int64_t factor : factors) {
      block /= factor;
      place += rest / block * stride;
      rest %= block;
      stride *= factor;
    }
    order.push_back(static_cast<double>(place));
  }
  return order;
}

std::vector<double> Twiddles(int64_t count, double first, double step) {
  const double pi = std::acos(-1.0);
  std::vector<double> table;
  for (int64_t i = 0; i < count; ++i) {
    const double phase = -pi * (first + step * static_cast<double>(i));
    table.push_back(std::floor(0.5 + kSampleMax * std::cos(phase)));
    table.push_back(std::floor(0.5 + kSampleMax * std::sin(phase)));
  }
  return table;
}

class RfftWriter {
 public:
  RfftWriter(OpCall& c, Te& te, int64_t rows, int64_t input, int64_t half)
      : c_(c), te_(te), m_(te.math()), f_(m_), rows_(rows), input_(input), half_(half) {}

  BufferRef Write(const std::vector<int64_t>& factors) {
    work_ = te_.Allocate("work", c_.DimsFrom({half_, 2}), kSample);
    const BufferRef out = te_.Allocate("out", c_.DimsFrom({rows_, half_ + 1, 2}), kSample);
    te_.Run("rows", c_.DimsFrom({rows_}), [&](ops::Statements& s, const Indices& row) {
      s.For("i", m_.Int(half_), [&](PrimRef i) {
        const PrimRef from = m_.Mul(te_.At(te_.Input(1), {i}), m_.Int(2));
        for (int64_t part = 0; part < 2; ++part) {
          s.Store(work_, {i, m_.Int(part)}, Sample(row[0], m_.Add(from, m_.Int(part))));
        }
      });
      int64_t block = 1, stride = half_;
      for (size_t k = factors.size(); k-- > 0;) {
        stride /= factors[k];
        Stage(s, factors[k], block, stride);
        block *= factors[k];
      }
      Finish(s, out, row[0]);
    });
    return out;
  }

 private:
  // Zeros follow the input.
  PrimRef Sample(PrimRef row, PrimRef i) {
    const PrimRef inside = m_.Lt(i, m_.Int(input_));
    return m_.IfThenElse(inside, te_.At(te_.Input(0), {row, i}), m_.Const(0, kSample));
  }
  Complex At(PrimRef i) {
    const auto part = [&](int64_t k) { return m_.Cast(te_.At(work_, {i, m_.Int(k)}), kWhole); };
    return {part(0), part(1)};
  }
  Complex Twiddle(int table, PrimRef i) {
    const auto part = [&](int64_t k) {
      return m_.Cast(te_.At(te_.Input(table), {i, m_.Int(k)}), kWhole);
    };
    return {part(0), part(1)};
  }
  Complex Let(ops::Statements& s, const char* name, Complex a) {
    return {s.Let(name, a.re), s.Let(name, a.im)};
  }
  void Store(ops::Statements& s, PrimRef i, Complex a) {
    s.Store(work_, {i, m_.Int(0)}, m_.Cast(a.re, kSample));
    s.Store(work_, {i, m_.Int(1)}, m_.Cast(a.im, kSample));
  }

  void Stage(ops::Statements& s, int64_t factor, int64_t block, int64_t stride) {
    s.For("group", m_.Int(half_ / (factor * block)), [&](PrimRef group) {
      s.For("k", m_.Int(block), [&](PrimRef k) {
        const PrimRef first = s.Let("first", m_.Add(m_.Mul(group, m_.Int(factor * block)), k));
        const auto place = [&](int64_t n) { return m_.Add(first, m_.Int(n * block)); };
        std::vector<Complex> x;
        for (int64_t n = 0; n < factor; ++n) {
          Complex value = Let(s, "x", f_.Divided(At(place(n)), factor));
          if (n > 0) {
            value = Let(s, "turned", f_.Times(value, Twiddle(2, m_.Mul(k, m_.Int(n * stride)))));
          }
          x.push_back(value);
        }
        if (factor == 2) {
          Store(s, place(0), f_.Plus(x[0], x[1]));
          Store(s, place(1), f_.Minus(x[0], x[1]));
          return;
        }
        const Complex even = Let(s, "even", f_.Plus(x[0], x[2]));
        const Complex odd = Let(s, "odd", f_.Minus(x[0], x[2]));
        const Complex sum = Let(s, "sum", f_.Plus(x[1], x[3]));
        const Complex turn = Let(s, "turn", f_.Minus(x[1], x[3]));
        Store(s, place(0), f_.Plus(even, sum));
        Store(s, place(2), f_.Minus(even, sum));
        Store(s, place(1), {m_.Add(odd.re, turn.im), m_.Sub(odd.im, turn.re)});
        Store(s, place(3), {m_.Sub(odd.re, turn.im), m_.Add(odd.im, turn.re)});
      });
    });
  }

  // Splits the transform of pairs into the one of single samples.
  void Finish(ops::Statements& s, BufferRef out, PrimRef row) {
    const auto put = [&](PrimRef i, Complex a) {
      s.Store(out, {row, i, m_.Int(0)}, m_.Cast(a.re, kSample));
      s.Store(out, {row, i, m_.Int(1)}, m_.Cast(a.im, kSample));
    };
    const Complex dc = Let(s, "dc", f_.Divided(At(m_.Int(0)), 2));
    put(m_.Int(0), {m_.Add(dc.re, dc.im), f_.Number(0)});
    put(m_.Int(half_), {m_.Sub(dc.re, dc.im), f_.Number(0)});
    s.For("k", m_.Int(half_ / 2), [&](PrimRef before) {
      const PrimRef k = m_.Add(before, m_.Int(1)), other = m_.Sub(m_.Int(half_), k);
      const Complex mirrored = At(other);
      const Complex a = Let(s, "a", f_.Divided(At(k), 2));
      const Complex b = Let(s, "b", f_.Divided({mirrored.re, m_.Neg(mirrored.im)}, 2));
      const Complex sum = Let(s, "sum", f_.Plus(a, b));
      const Complex turned = Let(s, "turned", f_.Times(f_.Minus(a, b), Twiddle(3, before)));
      const auto half = [&](PrimRef x) { return m_.Binary(ir::BinaryOp::kShr, x, f_.Number(1)); };
      put(k, {half(m_.Add(sum.re, turned.re)), half(m_.Add(sum.im, turned.im))});
      put(other, {half(m_.Sub(sum.re, turned.re)), half(m_.Sub(turned.im, sum.im))});
    });
  }

  const DType kSample = DType::Int(16);
  OpCall& c_;
  Te& te_;
  ScalarMath& m_;
  FftMath f_;
  const int64_t rows_, input_, half_;
  BufferRef work_ = nullptr;
};

}  // namespace

absl::StatusOr<Results> ImportSignalRfft(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  if (c.TypeOf(c.Arg(0)) != DType::Int(16)) {
    return c.Unsupported() << "SignalRfft of " << TypeName(c.In(0).type) << "; int16 is supported";
  }
  const int64_t length = options.Int("fft_length");
  constexpr int64_t kLongest = 1 << 16;
  const std::vector<int64_t> factors = FactorsOf(length / 2);
  if (length < 4 || length > kLongest || length % 2 != 0 || factors.empty()) {
    return c.Unsupported() << "a transform of " << length << " samples; supported are powers of 2 "
                           << "from 4 to " << kLongest;
  }
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (shape.empty() || shape.back() == 0) return c.Error() << "its data are empty";
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
  const int64_t half = length / 2;
  const DType sample = DType::Int(16);
  const auto table = [&](DType dtype, std::vector<int64_t> dims, const std::vector<double>& v) {
    return c.builder().Constant(dtype, std::move(dims), v);
  };
  const Operands args = {
      c.Reshape(c.Arg(0), c.DimsFrom({rows, shape.back()})),
      table(kWide, {half}, ReadOrder(half, factors)),
      table(sample, {half, 2}, Twiddles(half, 0, 2.0 / static_cast<double>(half))),
      table(sample, {half / 2, 2},
            Twiddles(half / 2, 0.5 + 1.0 / static_cast<double>(half),
                     1.0 / static_cast<double>(half)))};
  const Operand made = c.Kernel("rfft", args, [&](Te& te) {
    return RfftWriter(c, te, rows, shape.back(), half).Write(factors);
  });
  return c.Reshape(made, c.OutDims());
}

}  // namespace lathe::tflite
