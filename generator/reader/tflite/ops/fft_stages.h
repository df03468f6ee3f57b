// Builds the mixed-radix Fourier transform of TFLM's signal operators, of int16, int32 or float32.
// Integers are divided before each stage and rounded after each product, in the order of TFLM.
#ifndef LATHE_READER_TFLITE_OPS_FFT_STAGES_H_
#define LATHE_READER_TFLITE_OPS_FFT_STAGES_H_

#include <vector>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// The longest transform that is imported.
inline constexpr int64_t kLongestTransform = 1 << 16;

// Returns the factors of a length that is a power of 2: fours, then at most one 2. Other lengths,
// and 1, have none.
std::vector<int64_t> FftFactors(int64_t length);

// Returns the position from which the first stage reads element i: the digits of i in reverse
// order.
std::vector<int64_t> FftReadOrder(int64_t length, const std::vector<int64_t>& factors);

// Returns pairs cos, sin of pi * (first + step * i), in the fixed point of `sample`.
std::vector<double> FftTwiddles(DType sample, int64_t count, double first, double step);

// A complex number of scalars that are wider than the samples.
struct FftNumber {
  PrimRef re, im;
};

class FftStages {
 public:
  // Transforms the `length` pairs of `work`, with the twiddles of input `twiddles`.
  FftStages(Te& te, DType sample, int64_t length, bool inverse, BufferRef work, int twiddles)
      : te_(te),
        m_(te.math()),
        sample_(sample),
        length_(length),
        inverse_(inverse),
        work_(work),
        twiddles_(twiddles) {}

  void Write(ops::Statements& s, const std::vector<int64_t>& factors);

  // Arithmetic of samples.
  FftNumber Divided(FftNumber a, int64_t by);
  FftNumber Times(FftNumber a, FftNumber b);
  FftNumber Plus(FftNumber a, FftNumber b) { return {m_.Add(a.re, b.re), m_.Add(a.im, b.im)}; }
  FftNumber Minus(FftNumber a, FftNumber b) { return {m_.Sub(a.re, b.re), m_.Sub(a.im, b.im)}; }
  FftNumber Conjugate(FftNumber a) { return {a.re, Wrapped(m_.Neg(a.im))}; }
  PrimRef Half(PrimRef x);
  // Returns the value that a sample has after x is stored to it.
  PrimRef Wrapped(PrimRef x) { return m_.Cast(m_.Cast(x, sample_), wide()); }
  DType wide() const;

  FftNumber At(PrimRef i) { return Pair(work_, {i}); }
  FftNumber Twiddle(int table, PrimRef i) { return Pair(te_.Input(table), {i}); }
  FftNumber Pair(BufferRef from, Indices at);
  void Store(ops::Statements& s, BufferRef to, Indices at, FftNumber a);
  static FftNumber Let(ops::Statements& s, const char* name, FftNumber a) {
    return {s.Let(name, a.re), s.Let(name, a.im)};
  }

 private:
  void Stage(ops::Statements& s, int64_t factor, int64_t block, int64_t stride);
  PrimRef Rounded(PrimRef x);
  int fraction_bits() const { return sample_.bits - 1; }

  Te& te_;
  ScalarMath& m_;
  const DType sample_;
  const int64_t length_;
  const bool inverse_;
  BufferRef work_;
  const int twiddles_;
};

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_FFT_STAGES_H_
