#include "generator/reader/tflite/ops/fft_stages.h"

#include <cmath>

namespace lathe::tflite {
namespace {

// 1 in the fixed point of samples, less one unit.
double LargestSample(DType sample) { return std::ldexp(1.0, sample.bits - 1) - 1; }

}  // namespace

std::vector<int64_t> FftFactors(int64_t length) {
  std::vector<int64_t> factors;
  while (length > 0 && length % 4 == 0) {
    factors.push_back(4);
    length /= 4;
  }
  if (length == 2) factors.push_back(2);
  return length == 1 || length == 2 ? factors : std::vector<int64_t>{};
}

std::vector<int64_t> FftReadOrder(int64_t length, const std::vector<int64_t>& factors) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < length; ++i) {
    int64_t place = 0, stride = 1, block = length, rest = i;
    for (const int64_t factor : factors) {
      block /= factor;
      place += rest / block * stride;
      rest %= block;
      stride *= factor;
    }
    order.push_back(place);
  }
  return order;
}

std::vector<double> FftTwiddles(DType sample, int64_t count, double first, double step) {
  const double pi = std::acos(-1.0);
  std::vector<double> table;
  const auto put = [&](double v) {
    table.push_back(sample.is_floating() ? v : std::floor(0.5 + LargestSample(sample) * v));
  };
  for (int64_t i = 0; i < count; ++i) {
    const double phase = pi * (first + step * static_cast<double>(i));
    put(std::cos(phase));
    put(std::sin(phase));
  }
  return table;
}

DType FftStages::wide() const {
  return sample_.is_floating() ? sample_ : DType::Int(2 * sample_.bits);
}

PrimRef FftStages::Rounded(PrimRef x) {
  if (sample_.is_floating()) return x;
  const PrimRef half = m_.ir().Int(int64_t{1} << (fraction_bits() - 1), wide());
  return Wrapped(
      m_.Binary(ir::BinaryOp::kShr, m_.Add(x, half), m_.ir().Int(fraction_bits(), wide())));
}

FftNumber FftStages::Divided(FftNumber a, int64_t by) {
  if (sample_.is_floating()) return a;
  const PrimRef factor = m_.ir().Int(static_cast<int64_t>(LargestSample(sample_)) / by, wide());
  return {Rounded(m_.Mul(a.re, factor)), Rounded(m_.Mul(a.im, factor))};
}

FftNumber FftStages::Times(FftNumber a, FftNumber b) {
  return {Rounded(m_.Sub(m_.Mul(a.re, b.re), m_.Mul(a.im, b.im))),
          Rounded(m_.Add(m_.Mul(a.re, b.im), m_.Mul(a.im, b.re)))};
}

PrimRef FftStages::Half(PrimRef x) {
  if (sample_.is_floating()) return m_.Mul(x, m_.Const(0.5, sample_));
  // TFLM adds int16 in 32 bits, and so int32.
  const PrimRef sum = sample_.bits == 32 ? Wrapped(x) : x;
  return m_.Binary(ir::BinaryOp::kShr, sum, m_.ir().Int(1, wide()));
}

FftNumber FftStages::Pair(BufferRef from, Indices at) {
  const auto part = [&](int64_t k) {
    Indices place = at;
    place.push_back(m_.Int(k));
    return m_.Cast(te_.At(from, place), wide());
  };
  return {part(0), part(1)};
}

void FftStages::Store(ops::Statements& s, BufferRef to, Indices at, FftNumber a) {
  at.push_back(m_.Int(0));
  s.Store(to, at, m_.Cast(a.re, sample_));
  at.back() = m_.Int(1);
  s.Store(to, at, m_.Cast(a.im, sample_));
}

void FftStages::Write(ops::Statements& s, const std::vector<int64_t>& factors) {
  int64_t block = 1, stride = length_;
  for (size_t k = factors.size(); k-- > 0;) {
    stride /= factors[k];
    Stage(s, factors[k], block, stride);
    block *= factors[k];
  }
}

void FftStages::Stage(ops::Statements& s, int64_t factor, int64_t block, int64_t stride) {
  s.For("group", m_.Int(length_ / (factor * block)), [&](PrimRef group) {
    s.For("k", m_.Int(block), [&](PrimRef k) {
      const PrimRef first = s.Let("first", m_.Add(m_.Mul(group, m_.Int(factor * block)), k));
      const auto place = [&](int64_t n) { return m_.Add(first, m_.Int(n * block)); };
      std::vector<FftNumber> x;
      for (int64_t n = 0; n < factor; ++n) {
        FftNumber value = Let(s, "x", Divided(At(place(n)), factor));
        if (n > 0) {
          const FftNumber turn = Twiddle(twiddles_, m_.Mul(k, m_.Int(n * stride)));
          value = Let(s, "turned", Times(value, turn));
        }
        x.push_back(value);
      }
      const auto store = [&](int64_t n, FftNumber a) { Store(s, work_, {place(n)}, a); };
      if (factor == 2) {
        store(0, Plus(x[0], x[1]));
        store(1, Minus(x[0], x[1]));
        return;
      }
      const FftNumber even = Let(s, "even", Plus(x[0], x[2]));
      const FftNumber odd = Let(s, "odd", Minus(x[0], x[2]));
      const FftNumber sum = Let(s, "sum", Plus(x[1], x[3]));
      const FftNumber turn = Let(s, "turn", Minus(x[1], x[3]));
      store(0, Plus(even, sum));
      store(2, Minus(even, sum));
      // i or -i times `turn`.
      store(inverse_ ? 3 : 1, {m_.Add(odd.re, turn.im), m_.Sub(odd.im, turn.re)});
      store(inverse_ ? 1 : 3, {m_.Sub(odd.re, turn.im), m_.Add(odd.im, turn.re)});
    });
  });
}

}  // namespace lathe::tflite
