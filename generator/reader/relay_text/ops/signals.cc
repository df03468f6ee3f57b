// Imports discrete Fourier transforms, computed as direct sums in double.
#include <cmath>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

const DType kDouble = DType::Float(64);

struct Turn {
  PrimRef cosine, sine;
};
// The angle 2 pi * a * b / size.
Turn TurnOf(ScalarMath& m, PrimRef a, PrimRef b, PrimRef size) {
  const PrimRef turns = m.FloorMod(m.Mul(a, b), size);
  const PrimRef angle =
      m.Div(m.Mul(m.Const(2 * M_PI, kDouble), m.Cast(turns, kDouble)), m.Cast(size, kDouble));
  return {m.Call("cos", {angle}), m.Call("sin", {angle})};
}

}  // namespace

// (real, imaginary) along the last axis.
absl::StatusOr<Operand> ImportDft(OpCall& c) {
  const Operand re = c.Arg(0), im = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {re, im}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, im, c.Rank(re), "the imaginary part"));
  const Dims dims = c.DimsOf(re);
  if (dims.empty()) return c.Error() << "its operand is a scalar";
  for (size_t i = 0; i < dims.size(); ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(im)[i], dims[i], "the imaginary part"));
  }
  const bool inverse = c.Bool("inverse");
  const DType dtype = c.TypeOf(re);
  return TupleOf(c.Kernels("dft", {re, im}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto part = [&](const char* name, bool real) {
      ir::BufferRef sum = te.Reduce(name, dims, {dims.back()}, te.Sum(kDouble),
                                    [&](const Indices& at, const Indices& r) {
                                      const Turn turn = TurnOf(m, at.back(), r[0], dims.back());
                                      const PrimRef sine = inverse ? m.Neg(turn.sine) : turn.sine;
                                      Indices source = at;
                                      source.back() = r[0];
                                      const PrimRef x = m.Cast(te.At(te.Input(0), source), kDouble);
                                      const PrimRef y = m.Cast(te.At(te.Input(1), source), kDouble);
                                      return real ? m.Add(m.Mul(x, turn.cosine), m.Mul(y, sine))
                                                  : m.Sub(m.Mul(y, turn.cosine), m.Mul(x, sine));
                                    });
      return te.Compute(real ? "real" : "imaginary", dims, dtype, [&](const Indices& at) {
        const PrimRef v = te.At(sum, at);
        return m.Cast(inverse ? m.Div(v, m.Cast(dims.back(), kDouble)) : v, dtype);
      });
    };
    return std::vector<ir::BufferRef>{part("real_sum", true), part("imaginary_sum", false)};
  }));
}

// (..., frequency, frame, real or imaginary)
absl::StatusOr<Operand> ImportStft(OpCall& c) {
  const Operand x = c.Arg(0), window = c.Arg(1);
  const Dims from = c.DimsOf(x);
  if (from.empty() || from.size() > 2) return c.Error() << "the data needs 1 or 2 dimensions";
  LATHE_RETURN_IF_ERROR(RequireRank(c, window, 1, "the window"));
  const int64_t size = c.Int("n_fft");
  const int64_t hop = c.Int("hop_length") > 0 ? c.Int("hop_length") : size / 4;
  const int64_t length = c.Int("win_length") > 0 ? c.Int("win_length") : size;
  constexpr int64_t kMost = 1 << 20;
  if (size < 1 || size > kMost || hop < 1 || length > size) {
    return c.Error() << "n_fft " << size << ", hop_length " << hop << ", win_length " << length;
  }
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(window)[0], c.ir().Int(length), "the window"));
  ScalarMath& scalar = c.math();
  const int64_t rows = c.Bool("onesided") ? size / 2 + 1 : size;
  const PrimRef frames = c.Simplify(scalar.Add(
      scalar.FloorDiv(scalar.Sub(from.back(), scalar.Int(size)), scalar.Int(hop)), scalar.Int(1)));
  if (OpCall::IntOf(frames).value_or(1) < 1) return c.Error() << "the data is shorter than n_fft";
  Dims dims(from.begin(), from.end() - 1);
  dims.insert(dims.end(), {scalar.Int(rows), frames, scalar.Int(2)});
  const DType dtype = c.TypeOf(x);
  const double scale = c.Bool("normalized") ? 1 / std::sqrt(static_cast<double>(length)) : 1;
  return c.Kernel("stft", {x, window}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef sum = te.Reduce(
        "sum", dims, {m.Int(length)}, te.Sum(kDouble), [&](const Indices& at, const Indices& r) {
          const size_t row = at.size() - 3;
          const Turn turn = TurnOf(m, at[row], r[0], m.Int(length));
          Indices source(at.begin(), at.end() - 3);
          source.push_back(m.Add(m.Mul(at[row + 1], m.Int(hop)), r[0]));
          const PrimRef value = m.Mul(m.Cast(te.At(te.Input(0), source), kDouble),
                                      m.Cast(te.At(te.Input(1), {r[0]}), kDouble));
          return m.Mul(value, m.Select(m.Eq(at.back(), m.Int(0)), turn.cosine, m.Neg(turn.sine)));
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      return m.Cast(m.Mul(te.At(sum, at), m.Const(scale, kDouble)), dtype);
    });
  });
}

}  // namespace lathe::relay
