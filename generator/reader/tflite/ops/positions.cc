// Imports operators whose results are made from positions: ONE_HOT, RANGE, diagonals and BUCKETIZE.
#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr double kMaxNumbers = int64_t{1} << 31;  // of a range

}  // namespace

// Positions outside of the depth have no place in the result.
absl::StatusOr<Results> ImportOneHot(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> depth, c.NeedInts(1, "the depth"));
  const Operand places = c.Arg(0);
  const int rank = c.Rank(places);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), rank + 1));
  if (depth.size() != 1 || depth[0] < 0) return c.Error() << "it has no depth";
  Dims dims = c.DimsOf(places);
  dims.insert(dims.begin() + axis, c.ir().Int(depth[0]));
  const Operand on = c.Reshape(c.Arg(2), {}), off = c.Reshape(c.Arg(3), {});
  return c.Kernel("one_hot", {places, on, off}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(on), [&](const Indices& at) {
      Indices from = at;
      from.erase(from.begin() + axis);
      const PrimRef place = m.Cast(te.At(te.Input(0), from), kWide);
      const auto here = static_cast<size_t>(axis);
      return m.Select(m.Eq(place, at[here]), te.At(te.Input(1), {}), te.At(te.Input(2), {}));
    });
  });
}

// The declared shape of the result says how many numbers there are.
absl::StatusOr<Results> ImportRange(OpCall& c) {
  const std::vector<int64_t>& shape = c.Out().shape;
  const DType dtype = c.OutType();
  if (shape.size() != 1) return c.Error() << "the result must have one dimension";
  int64_t count = shape[0];
  const auto first = c.ConstantNumbers(0), last = c.ConstantNumbers(1), by = c.ConstantNumbers(2);
  if (first && last && by && first->size() == 1 && last->size() == 1 && by->size() == 1) {
    const double span = (*last)[0] - (*first)[0];
    if ((*by)[0] == 0) return c.Error() << "the step is 0";
    // Also refuses ends and steps that are no numbers.
    const double numbers = std::ceil(span / (*by)[0]);
    if (!(numbers <= kMaxNumbers)) return c.Error() << "it makes " << numbers << " numbers";
    count = static_cast<int64_t>(std::max(0.0, numbers));
  }
  for (const int i : {0, 2}) {
    if (c.TypeOf(c.Arg(i)) != dtype) return c.Error() << "its operands have different types";
  }
  const Operands args = {c.Reshape(c.Arg(0), {}), c.Reshape(c.Arg(2), {})};
  const Dims dims = c.DimsFrom({count});
  if (!dtype.is_floating()) {
    return c.Kernel("range", args, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Compute("out", dims, dtype, [&](const Indices& at) {
        return m.Add(te.At(te.Input(0), {}), m.Mul(m.Cast(at[0], dtype), te.At(te.Input(1), {})));
      });
    });
  }
  // Each number is the sum of the one before and the step.
  return c.Kernel("range", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const ops::Reducer sum = te.Sum(dtype);
    return te.Scan("out", dims, 0, sum, [&](const Indices& at) {
      return m.Select(m.Eq(at[0], m.Int(0)), te.At(te.Input(0), {}), te.At(te.Input(1), {}));
    });
  });
}

absl::StatusOr<Results> ImportMatrixDiag(OpCall& c) {
  const Operand x = c.Arg(0);
  Dims dims = c.DimsOf(x);
  if (dims.empty()) return c.Error() << "data must have at least one dimension";
  dims.push_back(dims.back());
  const DType dtype = c.TypeOf(x);
  return c.Kernel("matrix_diag", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const Indices from(at.begin(), at.end() - 1);
      return m.Select(m.Eq(at[at.size() - 2], at.back()), te.At(te.Input(0), from),
                      m.Const(0, dtype));
    });
  });
}

absl::StatusOr<Results> ImportMatrixSetDiag(OpCall& c) {
  const Operand x = c.Arg(0), diagonal = c.Arg(1);
  const std::vector<int64_t>&shape = c.In(0).shape, &line = c.In(1).shape;
  if (shape.size() < 2 || line.size() + 1 != shape.size() ||
      line.back() != std::min(shape.back(), shape[shape.size() - 2]) ||
      !std::equal(line.begin(), line.end() - 1, shape.begin()) || c.In(0).type != c.In(1).type) {
    return c.Error() << "the diagonal does not fit the data";
  }
  return c.Kernel("matrix_set_diag", {x, diagonal}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      const Indices from(at.begin(), at.end() - 1);
      return m.IfThenElse(m.Eq(at[at.size() - 2], at.back()), te.At(te.Input(1), from),
                          te.At(te.Input(0), at));
    });
  });
}

// The number of boundaries that an element has reached.
absl::StatusOr<Results> ImportBucketize(OpCall& c) {
  const std::vector<double> bounds = c.Floats("boundaries");
  const Operand x = c.Arg(0);
  if (!std::is_sorted(bounds.begin(), bounds.end())) return c.Error() << "boundaries are unsorted";
  const DType number = c.TypeOf(x) == DType::Float(64) ? DType::Float(64) : kReal;
  const Operand table = c.builder().Constant(kReal, {std::ssize(bounds)}, bounds);
  return c.Kernel("bucketize", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", c.DimsOf(x), c.DimsOf(table), te.Sum(kWhole),
                     [&](const Indices& at, const Indices& r) {
                       const PrimRef value = m.Cast(te.At(te.Input(0), at), number);
                       const PrimRef bound = m.Cast(te.At(te.Input(1), r), number);
                       return m.Cast(m.Not(m.Lt(value, bound)), kWhole);
                     });
  });
}

}  // namespace lathe::tflite
