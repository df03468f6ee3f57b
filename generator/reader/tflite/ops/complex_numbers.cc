// Imports RFFT2D, REAL, IMAG and COMPLEX_ABS.
#include "generator/reader/tflite/ops/complex_numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/fft_stages.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int kComplexOperators[] = {22, 31, 43, 70, 118, 119, 131, 133, 134, 135};

bool IsPowerOf2(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// One part of complex numbers.
absl::StatusOr<Results> PartOf(OpCall& c, int64_t part) {
  if (c.In(0).type != kComplex64 || c.Out().type != kFloat32) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type)
                           << "; complex64 is supported";
  }
  const Operand x = c.Arg(0);
  Dims dims = c.DimsOf(x);
  dims.pop_back();
  return c.Kernel("part", {x}, [&](Te& te) {
    return te.Compute("out", dims, kReal, [&](const Indices& at) {
      Indices place = at;
      place.push_back(te.math().Int(part));
      return te.At(te.Input(0), place);
    });
  });
}

// The transform of rows that are too short for stages of pairs: the sum of one or two samples, and
// for two their difference.
Operand ShortRows(OpCall& c, const Operand& data, int64_t width, int64_t length) {
  const int64_t rows = ElementCount(c.Shape(data)) / width, columns = length / 2 + 1;
  const Operand x = c.Reshape(data, c.DimsFrom({rows, width}));
  return c.Kernel("rfft", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef none = m.Const(0, kReal);
    return te.Compute("out", c.DimsFrom({rows, columns, 2}), kReal, [&](const Indices& at) {
      PrimRef sum = te.At(te.Input(0), {at[0], m.Int(0)});
      if (length == 2 && width > 1) {
        const PrimRef next = te.At(te.Input(0), {at[0], m.Int(1)});
        sum = m.Select(m.Eq(at[1], m.Int(0)), m.Add(sum, next), m.Sub(sum, next));
      }
      return m.Select(m.Eq(at[2], m.Int(0)), sum, none);
    });
  });
}

// The transform of columns: x is (slices, given, columns, 2), the result (slices, length, columns,
// 2). Rows beyond `given` are zeros; rows beyond `length` are left out.
Operand TransformColumns(OpCall& c, const Operand& x, int64_t length) {
  const std::vector<int64_t> shape = c.Shape(x);
  const int64_t given = std::min(shape[1], length);
  const std::vector<int64_t> factors = FftFactors(length);
  std::vector<double> order;
  for (const int64_t place : FftReadOrder(length, factors)) {
    order.push_back(static_cast<double>(place));
  }
  enum Input { kData, kOrder, kTwiddles };
  const Operand places = c.builder().Constant(kWide, {length}, order);
  const Operand twiddles = c.builder().Constant(
      kReal, {length, 2}, FftTwiddles(kReal, length, 0, -2 / static_cast<double>(length)));
  return c.Kernel("fft_columns", {x, places, twiddles}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef work = te.Allocate("work", c.DimsFrom({length, 2}), kReal);
    const BufferRef out = te.Allocate("out", c.DimsFrom({shape[0], length, shape[2], 2}), kReal);
    FftStages stages(te, kReal, length, /*inverse=*/false, work, kTwiddles);
    te.Run("columns", c.DimsFrom({shape[0], shape[2]}), [&](ops::Statements& s, const Indices& at) {
      s.For("i", m.Int(length), [&](PrimRef i) {
        const PrimRef row = te.At(te.Input(kOrder), {i});
        for (int64_t part = 0; part < 2; ++part) {
          const PrimRef value = te.At(te.Input(kData), {at[0], row, at[1], m.Int(part)});
          s.Store(work, {i, m.Int(part)},
                  m.IfThenElse(m.InRange(row, m.Int(0), m.Int(given)), value, m.Const(0, kReal)));
        }
      });
      stages.Write(s, factors);
      s.For("i", m.Int(length), [&](PrimRef i) {
        stages.Store(s, out, {at[0], i, at[1]}, stages.At(i));
      });
    });
    return out;
  });
}

}  // namespace

bool TakesComplex(const Operator& op) {
  return std::count(std::begin(kComplexOperators), std::end(kComplexOperators), op.code) != 0;
}

absl::StatusOr<Results> ImportReal(OpCall& c) { return PartOf(c, 0); }
absl::StatusOr<Results> ImportImag(OpCall& c) { return PartOf(c, 1); }

absl::StatusOr<Results> ImportComplexAbs(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Results real, PartOf(c, 0));
  LATHE_ASSIGN_OR_RETURN(const Results imaginary, PartOf(c, 1));
  return c.Elementwise("complex_abs", {real.operands[0], imaginary.operands[0]},
                       [](ScalarMath& m, const Scalars& v) {
                         return m.Call("hypot", {v[0], v[1]});
                       });
}

absl::StatusOr<Results> ImportRfft2d(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (c.In(0).type != kFloat32 || c.Out().type != kComplex64) {
    return c.Unsupported() << "RFFT2D of " << TypeName(c.In(0).type) << " to "
                           << TypeName(c.Out().type) << "; float32 to complex64 is supported";
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, c.NeedInts(1, "the lengths"));
  if (shape.size() < 2 || lengths.size() != 2) {
    return c.Error() << "it needs data of at least 2 dimensions and 2 lengths";
  }
  const int64_t height = lengths[0], width = lengths[1];
  for (const int64_t length : lengths) {
    if (!IsPowerOf2(length) || length > kLongestTransform) {
      return c.Unsupported() << "a transform of " << length
                             << " samples; supported are powers of 2 "
                             << "up to " << kLongestTransform;
    }
  }
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (ElementCount(shape) == 0) return c.Error() << "its data are empty";
  const Operand numbers = width < 4 ? ShortRows(c, c.Arg(0), columns, width)
                                    : RealTransform(c, c.Arg(0), columns, width);
  const int64_t slices = ElementCount(shape) / (rows * columns), half = width / 2 + 1;
  Operand made = c.Reshape(numbers, c.DimsFrom({slices, rows, half, 2}));
  if (height > 1) {
    made = TransformColumns(c, made, height);
  } else if (rows > 1) {
    made = c.Kernel("first_row", {made}, [&](Te& te) {
      return te.Compute("out", c.DimsFrom({slices, 1, half, 2}), kReal,
                        [&](const Indices& at) { return te.At(te.Input(0), at); });
    });
  }
  std::vector<int64_t> result = shape;
  result[shape.size() - 2] = height;
  result.back() = half;
  result.push_back(2);
  return c.Reshape(made, c.DimsFrom(result));
}

}  // namespace lathe::tflite
