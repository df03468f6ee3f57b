// Imports operators that write elements to positions which data names.
#include <limits>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/block_weights.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

Operand Zeros(OpCall& c, const Dims& dims, DType dtype) {
  return c.Op("relax.zeros", {ImportBuilder::Shape(dims)}, {{"dtype", dtype}});
}

}  // namespace

// Several updates of one element add up.
absl::StatusOr<Results> ImportScatterNd(OpCall& c) {
  const Operand updates = c.Arg(1);
  const DType dtype = c.TypeOf(updates);
  if (c.In(0).shape.empty()) return c.Error() << "positions must have at least one dimension";
  const Dims dims = c.OutDims();
  if (dtype.is_bool()) {
    const DType byte = DType::Int(8);
    const Operand made =
        c.Op("relax.scatter_nd", {Zeros(c, dims, byte), c.Arg(0), c.Cast(updates, byte)},
             {{"reduction", "max"}});
    return c.Cast(made, dtype);
  }
  return c.Op("relax.scatter_nd", {Zeros(c, dims, dtype), c.Arg(0), updates},
              {{"reduction", "add"}});
}

// Places are a scalar, one per value, or one row per value.
absl::StatusOr<Results> ImportSparseToDense(OpCall& c) {
  const std::vector<int64_t>& places = c.In(0).shape;
  const Operand value = c.Arg(2);
  if (places.size() > 2) return c.Error() << "positions have " << places.size() << " dimensions";
  const int64_t count = places.empty() ? 1 : places[0];
  const int64_t depth = places.size() < 2 ? 1 : places[1];
  if (depth != std::ssize(c.Out().shape)) {
    return c.Error() << "positions name " << depth << " axes of " << c.Out().shape.size();
  }
  if (c.In(2).type != c.Out().type || c.In(3).type != c.Out().type) {
    return c.Error() << "values and result have different types";
  }
  const Operand all = c.BroadcastTo(c.Reshape(c.Arg(3), {}), c.OutDims());
  const Operand values = c.BroadcastTo(value, c.DimsFrom({count}));
  return c.Op("relax.scatter_nd", {all, c.Reshape(c.Arg(0), c.DimsFrom({count, depth})), values},
              {{"reduction", "update"}});
}

namespace {

// Combines the rows of input 0 that name the same row of the result in input 1. Other numbers of
// rows are left out.
absl::StatusOr<Results> Segments(OpCall& c, double initial, ir::BinaryOp combine) {
  const Operand x = c.Arg(0), ids = c.Arg(1);
  const Dims dims = c.DimsOf(x), made = c.OutDims();
  if (dims.empty() || made.size() != dims.size() ||
      c.In(1).shape != std::vector<int64_t>{c.In(0).shape[0]}) {
    return c.Error() << "it needs one number of a segment per row of the data";
  }
  for (size_t i = 1; i < dims.size(); ++i) {
    if (c.In(0).shape[i] != c.Out().shape[i]) return c.Error() << "rows have different shapes";
  }
  const DType dtype = c.TypeOf(x);
  return c.Kernel("segments", {x, ids}, [&](Te& te) {
    ScalarMath& m = te.math();
    PrimRef start = m.Const(initial, dtype);
    if (combine == ir::BinaryOp::kMax) start = m.Lowest(dtype);
    if (combine == ir::BinaryOp::kMin) start = m.Highest(dtype);
    if (dtype.is_floating() && combine == ir::BinaryOp::kMax) {
      start = m.Const(std::numeric_limits<float>::lowest(), dtype);
    }
    if (dtype.is_floating() && combine == ir::BinaryOp::kMin) {
      start = m.Const(std::numeric_limits<float>::max(), dtype);
    }
    return te.Reduce("out", made, {dims[0]},
                     {{start},
                      [&](const Indices& acc, const Indices& value) -> Indices {
                        // A NaN that is the first operand of min or max is not the result.
                        return {m.Binary(combine, value[0], acc[0])};
                      }},
                     [&](const Indices& at, const Indices& r) {
                       Indices from = at;
                       from[0] = r[0];
                       const PrimRef id = m.Cast(te.At(te.Input(1), {r[0]}), kWide);
                       return m.Select(m.Eq(id, at[0]), te.At(te.Input(0), from), start);
                     });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSegmentSum(OpCall& c) { return Segments(c, 0, ir::BinaryOp::kAdd); }
absl::StatusOr<Results> ImportUnsortedSegmentSum(OpCall& c) {
  return Segments(c, 0, ir::BinaryOp::kAdd);
}
absl::StatusOr<Results> ImportUnsortedSegmentProd(OpCall& c) {
  return Segments(c, 1, ir::BinaryOp::kMul);
}
absl::StatusOr<Results> ImportUnsortedSegmentMax(OpCall& c) {
  return Segments(c, 0, ir::BinaryOp::kMax);
}
absl::StatusOr<Results> ImportUnsortedSegmentMin(OpCall& c) {
  return Segments(c, 0, ir::BinaryOp::kMin);
}

// out[i] = table[ids[i]]; integers with a scale become reals if the result is real.
absl::StatusOr<Results> ImportEmbeddingLookup(OpCall& c) {
  const Operand ids = c.Arg(0), table = c.Arg(1);
  const DType from = c.TypeOf(table), to = c.OutType();
  if (c.In(0).shape.size() != 1 || c.In(1).shape.empty()) {
    return c.Error() << "it needs a vector of rows and a table";
  }
  if (HasBlockWeights(c.node(), c.node().inputs[1], c.In(1))) return BlockRows(c);
  const Operand rows = c.Op("relax.take", {table, ids}, {{"axis", 0}});
  if (from == to) return rows;
  if (!to.is_floating() || !c.IsQuantized(1)) {
    return c.Unsupported() << "a table of " << TypeName(c.In(1).type) << " with a result of "
                           << TypeName(c.Out().type);
  }
  const Quantization& q = c.In(1).quantization;
  const Operand reals = c.Cast(rows, to);
  if (!q.per_axis()) {
    return c.Op("relax.multiply", {reals, c.Number(static_cast<double>(q.scales[0]), to)});
  }
  if (q.axis != 0) return c.Unsupported() << "a table with scales along axis " << q.axis;
  const Operand scales = c.builder().Constant(
      to, {std::ssize(q.scales)}, std::vector<double>(q.scales.begin(), q.scales.end()));
  std::vector<int64_t> shape(c.In(1).shape.size(), 1);
  shape[0] = c.In(0).shape[0];
  const Operand chosen = c.Op("relax.take", {scales, ids}, {{"axis", 0}});
  return c.Op("relax.multiply", {reals, c.Reshape(chosen, c.DimsFrom(shape))});
}

// Rows of a table by key; 0 and no hit where a key is missing.
absl::StatusOr<Results> ImportHashtableLookup(OpCall& c) {
  const Operand wanted = c.Arg(0), keys = c.Arg(1), table = c.Arg(2);
  const Dims dims = c.DimsOf(table);
  if (c.In(0).shape.size() != 1 || c.In(1).shape.size() != 1 || dims.empty() ||
      c.In(1).shape[0] != c.In(2).shape[0]) {
    return c.Error() << "it needs a vector to look up, keys, and one row per key";
  }
  Dims made = dims;
  made[0] = c.DimsOf(wanted)[0];
  const Dims count = {made[0]};
  const DType dtype = c.TypeOf(table);
  return c.Kernels("hashtable_lookup", {wanted, keys, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef place = te.Reduce(
        "place", count, c.DimsOf(keys), te.Max(kWide), [&](const Indices& at, const Indices& r) {
          const PrimRef hit = m.Eq(te.At(te.Input(0), at), te.At(te.Input(1), r));
          return m.Select(hit, r[0], m.Int(-1));
        });
    const BufferRef rows = te.Compute("rows", made, dtype, [&](const Indices& at) {
      Indices from = at;
      from[0] = te.At(place, {at[0]});
      return m.IfThenElse(m.Le(m.Int(0), from[0]), te.At(te.Input(2), from), m.Const(0, dtype));
    });
    const BufferRef hits = te.Compute("hits", count, DType::UInt(8), [&](const Indices& at) {
      return m.Cast(m.Le(m.Int(0), te.At(place, at)), DType::UInt(8));
    });
    return std::vector{rows, hits};
  });
}

namespace {

enum Combiner : int64_t { kSumOfRows = 0, kMeanOfRows = 1, kRootOfRows = 2 };

}  // namespace

// Weighted sums of rows of a table. Input 1 names the place in the result of each row.
absl::StatusOr<Results> ImportEmbeddingLookupSparse(OpCall& c) {
  const Operands args = {c.Arg(0), c.Arg(1), c.Arg(3), c.Arg(4)};
  const std::vector<int64_t>&places = c.In(1).shape, &table = c.In(4).shape;
  const int64_t combiner = c.Int("combiner");
  if (c.In(0).shape.size() != 1 || places.size() != 2 || places[0] != c.In(0).shape[0] ||
      c.In(3).shape != c.In(0).shape || table.empty() || places[1] < 1 ||
      c.Out().shape.size() != static_cast<size_t>(places[1]) - 1 + table.size() - 1) {
    return c.Error() << "rows, places, weights, table and result do not fit";
  }
  if (c.TypeOf(args[2]) != kReal || c.TypeOf(args[3]) != kReal) {
    return c.Unsupported() << "EMBEDDING_LOOKUP_SPARSE of " << TypeName(c.In(4).type);
  }
  const auto outer = static_cast<std::ptrdiff_t>(places[1]) - 1;
  const Dims dims = c.OutDims(), over = c.DimsOf(args[0]);
  const Dims groups(dims.begin(), dims.begin() + outer);
  return c.Kernel("lookup_sparse", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef zero = m.Const(0, kReal);
    const auto concerned = [&](const Indices& at, PrimRef i) {
      PrimRef same = m.ir().Bool(true);
      for (std::ptrdiff_t k = 0; k < outer; ++k) {
        const PrimRef place = te.At(te.Input(1), {i, m.Int(k)});
        same = m.And(same, m.Eq(m.Cast(place, kWide), at[static_cast<size_t>(k)]));
      }
      return same;
    };
    const auto weight = [&](PrimRef i) { return te.At(te.Input(2), {i}); };
    const BufferRef sums =
        te.Reduce("sums", dims, over, te.Sum(kReal), [&](const Indices& at, const Indices& r) {
          Indices from = {m.Cast(te.At(te.Input(0), {r[0]}), kWide)};
          from.insert(from.end(), at.begin() + outer, at.end());
          const PrimRef value = m.Mul(te.At(te.Input(3), from), weight(r[0]));
          return m.IfThenElse(concerned(at, r[0]), value, zero);
        });
    if (combiner == kSumOfRows) return sums;
    const BufferRef total =
        te.Reduce("total", groups, over, te.Sum(kReal), [&](const Indices& at, const Indices& r) {
          const PrimRef w = weight(r[0]);
          const PrimRef term = combiner == kRootOfRows ? m.Mul(w, w) : w;
          return m.Select(concerned(at, r[0]), term, zero);
        });
    const BufferRef count = te.Reduce(
        "count", groups, over, te.Sum(kWhole),
        [&](const Indices& at, const Indices& r) { return m.Cast(concerned(at, r[0]), kWhole); });
    return te.Compute("out", dims, kReal, [&](const Indices& at) {
      const Indices group(at.begin(), at.begin() + outer);
      PrimRef by = te.At(total, group);
      if (combiner == kRootOfRows) by = m.Call("sqrt", {by});
      const PrimRef some = m.Lt(m.ir().Int(0, kWhole), te.At(count, group));
      return m.Select(some, m.Div(te.At(sums, at), by), te.At(sums, at));
    });
  });
}

}  // namespace lathe::tflite
