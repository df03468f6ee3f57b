// Imports operators whose results are made from positions: ONE_HOT, RANGE, diagonals, BUCKETIZE,
// TOPK_V2, and those whose results are as large as the data says.
#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

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
    count = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(span / (*by)[0])));
    if (count > (int64_t{1} << 31)) return c.Error() << "it makes " << count << " numbers";
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
                       return m.Cast(m.Le(bound, value), kWhole);
                     });
  });
}

// A sparse constant, which is read as a dense one.
absl::StatusOr<Results> ImportDensify(OpCall& c) {
  if (!c.ConstantArg(0)) return c.Error() << "its data are not constant";
  return c.Arg(0);
}

// The largest elements along the last axis, in order; of equal ones the first.
absl::StatusOr<Results> ImportTopkV2(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> k, c.NeedInts(1, "the number of elements"));
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (k.size() != 1 || shape.empty() || k[0] < 0 || k[0] > shape.back()) {
    return c.Error() << "it does not take a part of the last axis";
  }
  if (k[0] == 0) {
    Operands none;
    for (const int i : {0, 1}) {
      none.push_back(
          c.Op("relax.zeros", {ImportBuilder::Shape(c.OutDims(i))}, {{"dtype", c.OutType(i)}}));
    }
    return none;
  }
  const DType places = c.outputs() > 1 ? c.OutType(1) : kWhole;
  const Operand made = c.Op("relax.topk", {c.Arg(0)},
                            {{"k", k[0]}, {"axis", -1}, {"ret_type", "both"}, {"dtype", places}});
  return Operands{c.Field(made, 0), c.Field(made, 1)};
}

namespace {

absl::StatusOr<Results> SizedByData(OpCall& c) {
  return c.Unsupported() << c.op()
                         << " of data that is not known at compile time: its result is as large as "
                            "the data says";
}

}  // namespace

// Distinct elements in the order of their first occurrence, and the place of each element.
absl::StatusOr<Results> ImportUnique(OpCall& c) {
  const auto values = c.ConstantNumbers(0);
  if (!values) return SizedByData(c);
  std::vector<double> distinct, places;
  for (const double value : *values) {
    const auto found = std::find(distinct.begin(), distinct.end(), value);
    places.push_back(static_cast<double>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(value);
  }
  const DType index = c.outputs() > 1 ? c.OutType(1) : kWhole;
  return Operands{c.builder().Constant(c.OutType(), {std::ssize(distinct)}, distinct),
                  c.builder().Constant(index, {std::ssize(places)}, places)};
}

// The positions of elements that are not zero, one row each.
absl::StatusOr<Results> ImportWhere(OpCall& c) {
  const auto values = c.ConstantNumbers(0);
  if (!values) return SizedByData(c);
  const std::vector<int64_t>& shape = c.In(0).shape;
  std::vector<double> made;
  int64_t rows = 0;
  for (size_t i = 0; i < values->size(); ++i) {
    if ((*values)[i] == 0) continue;
    ++rows;
    std::vector<double> place;
    auto rest = static_cast<int64_t>(i);
    for (size_t axis = shape.size(); axis > 0; --axis) {
      place.push_back(static_cast<double>(rest % shape[axis - 1]));
      rest /= shape[axis - 1];
    }
    made.insert(made.end(), place.rbegin(), place.rend());
  }
  return c.builder().Constant(c.OutType(), {rows, std::ssize(shape)}, made);
}

// Divides by a power of the sum of squares of neighbouring channels. As in LiteRT, the last of the
// channels within the radius does not count.
absl::StatusOr<Results> ImportLocalResponseNormalization(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  if (dtype != kReal || c.Rank(x) != 4) {
    return c.Unsupported() << "LOCAL_RESPONSE_NORMALIZATION of " << TypeName(c.In(0).type)
                           << " with " << c.Rank(x) << " dimensions; 4 of float32 are supported";
  }
  const int64_t radius = std::min<int64_t>(c.Int("radius"), c.In(0).shape[3]);
  if (radius < 0) return c.Error() << "the radius is " << radius;
  const double bias = c.Float("bias"), alpha = c.Float("alpha"), beta = c.Float("beta");
  const Dims dims = c.DimsOf(x), over = c.DimsFrom({2 * radius});
  return c.Kernel("local_response_norm", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef sums =
        te.Reduce("sums", dims, over, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          Indices from = at;
          from[3] = m.Add(at[3], m.Sub(r[0], m.Int(radius)));
          const PrimRef value = te.At(te.Input(0), from);
          return m.IfThenElse(m.InRange(from[3], m.Int(0), dims[3]), m.Mul(value, value),
                              m.Const(0, dtype));
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const DType real = DType::Float(64);
      const PrimRef base =
          m.Add(m.Const(bias, real), m.Mul(m.Const(alpha, real), m.Cast(te.At(sums, at), real)));
      const PrimRef power = m.Call("pow", {base, m.Const(-beta, real)});
      return m.Mul(te.At(te.Input(0), at), m.Cast(power, dtype));
    });
  });
}

}  // namespace lathe::tflite
