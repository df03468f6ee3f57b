// Imports operators of sparse tensors.
#include <algorithm>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/make_tensor.h"
#include "generator/reader/relay_text/ops/run_time_list.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Stores values at index tuples, the rows of `indices`, into a tensor of one default value.
absl::StatusOr<Operand> Densified(OpCall& c, const Dims& dims) {
  Operand indices = c.Arg(0), values = c.Arg(1);
  // Relay does not compare the dtype of the default value.
  const Operand rest = c.Cast(c.Arg(2), c.TypeOf(values));
  if (!c.TypeOf(indices).is_integer()) return c.Error() << "indices have to be integers";
  if (c.Rank(indices) > 2 || c.Rank(values) > 1) return c.Error() << "indices of a wrong shape";
  LATHE_RETURN_IF_ERROR(RequireRank(c, rest, 0, "the default value"));
  const Dims by = c.DimsOf(indices);
  const PrimRef count = by.empty() ? c.ir().Int(1) : by[0];
  const PrimRef depth = by.size() == 2 ? by[1] : c.ir().Int(1);
  LATHE_RETURN_IF_ERROR(RequireSize(c, depth, c.ir().Int(std::ssize(dims)), "an index tuple"));
  if (c.Rank(values) == 1) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(values)[0], count, "the values"));
  }
  indices = c.Reshape(indices, {count, c.ir().Int(std::ssize(dims))});
  const bool single = c.Rank(values) == 0;
  const DType dtype = c.TypeOf(values);
  return c.Kernel("sparse_to_dense", {indices, values, rest}, [&](Te& te) {
    ir::BufferRef out =
        te.Compute("out", dims, dtype, [&](const Indices&) { return te.At(te.Input(2), {}); });
    te.Accumulate("store", out, {count}, [&](const Indices& at) {
      Indices to;
      for (size_t k = 0; k < dims.size(); ++k) {
        const PrimRef axis = te.math().Int(static_cast<int64_t>(k));
        to.push_back(te.math().Cast(te.At(te.Input(0), {at[0], axis}), DType::Int(64)));
      }
      return Te::Store{to, te.At(te.Input(1), single ? Indices{} : at)};
    });
    return out;
  });
}

}  // namespace

absl::StatusOr<Operand> ImportSparseToDense(OpCall& c) {
  return Densified(c, c.DimsFrom(c.Ints("output_shape")));
}

absl::StatusOr<Operand> ImportDynSparseToDense(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Dims dims, ShapeArgument(c, 3));
  return Densified(c, dims);
}

// (indices in the new shape, the new shape); one size of the new shape may be -1.
absl::StatusOr<Operand> ImportSparseReshape(OpCall& c) {
  const Operand indices = c.Arg(0), old_shape = c.Arg(1), new_shape = c.Arg(2);
  LATHE_RETURN_IF_ERROR(RequireRank(c, indices, 2, "the indices"));
  LATHE_ASSIGN_OR_RETURN(const int64_t old_rank, LengthOfList(c, 1));
  LATHE_ASSIGN_OR_RETURN(const int64_t new_rank, LengthOfList(c, 2));
  const DType dtype = c.TypeOf(indices), wide = DType::Int(64);
  const Dims by = c.DimsOf(indices), row = {c.ir().Int(new_rank)};
  LATHE_RETURN_IF_ERROR(RequireSize(c, by[1], c.ir().Int(old_rank), "an index tuple"));
  const auto olds = static_cast<size_t>(old_rank), news = static_cast<size_t>(new_rank);
  const Operand sizes = c.Kernel("sparse_shape", {old_shape, new_shape}, [&](Te& te) {
    ScalarMath& m = te.math();
    PrimRef all = m.Int(1), others = m.Int(1);
    for (size_t k = 0; k < olds; ++k) all = m.Mul(all, ListElement(te, 0, k));
    for (size_t k = 0; k < news; ++k)
      others = m.Mul(others, m.Max(ListElement(te, 1, k), m.Int(1)));
    return te.Compute("out", row, c.TypeOf(new_shape), [&](const Indices& at) {
      const PrimRef size = m.Cast(te.At(te.Input(1), at), wide);
      return m.Cast(m.Select(m.Eq(size, m.Int(-1)), m.FloorDiv(all, others), size),
                    c.TypeOf(new_shape));
    });
  });
  const Operand moved = c.Kernel("sparse_reshape", {indices, old_shape, sizes}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", {by[0], row[0]}, dtype, [&](const Indices& at) {
      PrimRef flat = m.Int(0);
      for (size_t k = 0; k < olds; ++k) {
        const PrimRef index = te.At(te.Input(0), {at[0], m.Int(static_cast<int64_t>(k))});
        flat = m.Add(m.Mul(flat, ListElement(te, 1, k)), m.Cast(index, wide));
      }
      PrimRef value = m.Int(0);
      for (size_t k = news; k-- > 0;) {
        const PrimRef size = m.Max(ListElement(te, 2, k), m.Int(1));
        value =
            m.Select(m.Eq(at[1], m.Int(static_cast<int64_t>(k))), m.FloorMod(flat, size), value);
        flat = m.FloorDiv(flat, size);
      }
      return m.Cast(value, dtype);
    });
  });
  return TupleOf({moved, sizes});
}

namespace {

// x times the transpose of a sparse matrix in compressed rows (CSR, or BSR with blocks).
absl::StatusOr<Operand> SparseProduct(OpCall& c, const Operand& dense, bool sparse_left) {
  const Operand data = c.Arg(1), columns = c.Arg(2), rows = c.Arg(3);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {dense, data}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, dense, 2, "the dense matrix"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, columns, 1, "the column indices"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, rows, 1, "the row pointers"));
  const bool blocks = c.Rank(data) == 3;
  if (!blocks) LATHE_RETURN_IF_ERROR(RequireRank(c, data, 1, "the sparse data"));
  ScalarMath& scalar = c.math();
  const PrimRef one = c.ir().Int(1);
  const PrimRef height = blocks ? c.DimsOf(data)[1] : one, width = blocks ? c.DimsOf(data)[2] : one;
  const PrimRef count = c.Simplify(scalar.Mul(scalar.Sub(c.DimsOf(rows)[0], one), height));
  const Dims from = c.DimsOf(dense);
  const Dims dims = sparse_left ? Dims{count, from[1]} : Dims{from[0], count};
  const DType dtype = c.TypeOf(dense);
  return c.Kernel("sparse_dense", {dense, data, columns, rows}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto pointer = [&](PrimRef row) {
      return m.Cast(te.At(te.Input(3), {row}), DType::Int(64));
    };
    const auto row_of = [&](const Indices& at) {
      return m.FloorDiv(sparse_left ? at[0] : at[1], height);
    };
    return te.ReduceRagged(
        "out", dims,
        [&](const Indices& at) {
          const PrimRef row = row_of(at);
          return Dims{m.Sub(pointer(m.Add(row, m.Int(1))), pointer(row)), width};
        },
        te.Sum(dtype),
        [&](const Indices& at, const Indices& r) {
          const PrimRef place = m.Add(pointer(row_of(at)), r[0]);
          const PrimRef column = m.Cast(te.At(te.Input(2), {place}), DType::Int(64));
          const PrimRef along = m.Add(m.Mul(column, width), r[1]);
          const PrimRef inner = m.FloorMod(sparse_left ? at[0] : at[1], height);
          const PrimRef weight =
              te.At(te.Input(1), blocks ? Indices{place, inner, r[1]} : Indices{place});
          const PrimRef x =
              te.At(te.Input(0), sparse_left ? Indices{along, at[1]} : Indices{at[0], along});
          return m.Mul(x, weight);
        });
  });
}

}  // namespace

absl::StatusOr<Operand> ImportSparseDense(OpCall& c) {
  return SparseProduct(c, c.Arg(0), c.Bool("sparse_lhs"));
}

// A convolution with sparse weights and a window of one element.
absl::StatusOr<Operand> ImportSparseConv2d(OpCall& c) {
  Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "layout", {"NHWC", "NCHW"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  for (const int64_t size : c.Ints("kernel_size")) {
    if (size != 1) return c.Unsupported() << "a window of " << size << "; 1 is supported";
  }
  const bool last = c.Str("layout") == "NHWC";
  if (!last) x = c.Transposed(x, {0, 2, 3, 1});
  Dims dims = c.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(
      const Operand product,
      SparseProduct(c, c.Reshape(x, {c.Product(dims, 0, 3), dims[3]}), /*sparse_left=*/false));
  dims[3] = c.DimsOf(product)[1];
  const Operand image = c.Reshape(product, dims);
  return last ? image : c.Transposed(image, {0, 3, 1, 2});
}

// A dense matrix plus a sparse one in compressed rows.
absl::StatusOr<Operand> ImportSparseAdd(OpCall& c) {
  const Operands args = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {args[0], args[1]}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, args[0], 2, "the dense matrix"));
  for (size_t i = 1; i < 4; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, args[i], 1, "each part of the sparse matrix"));
  }
  const Dims dims = c.DimsOf(args[0]);
  const PrimRef rows = c.Simplify(c.math().Add(dims[0], c.ir().Int(1)));
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(args[3])[0], rows, "the row pointers"));
  return c.Kernel("sparse_add", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto pointer = [&](PrimRef row) {
      return m.Cast(te.At(te.Input(3), {row}), DType::Int(64));
    };
    ir::BufferRef sum = te.ReduceRagged(
        "sum", dims,
        [&](const Indices& at) {
          return Dims{m.Sub(pointer(m.Add(at[0], m.Int(1))), pointer(at[0]))};
        },
        te.Sum(c.TypeOf(args[0])),
        [&](const Indices& at, const Indices& r) {
          const PrimRef place = m.Add(pointer(at[0]), r[0]);
          const PrimRef here = m.Eq(m.Cast(te.At(te.Input(2), {place}), DType::Int(64)), at[1]);
          return m.Select(here, te.At(te.Input(1), {place}), m.Const(0, c.TypeOf(args[0])));
        });
    return te.Compute("out", dims, c.TypeOf(args[0]), [&](const Indices& at) {
      return m.Add(te.At(te.Input(0), at), te.At(sum, at));
    });
  });
}

// (data, indices, row pointers) of the transpose of a square matrix in compressed rows.
absl::StatusOr<Operand> ImportSparseTranspose(OpCall& c) {
  const Operands args = c.AllArgs();
  for (const Operand& part : args) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, part, 1, "each part of the sparse matrix"));
  }
  const Dims count = c.DimsOf(args[1]), pointers = c.DimsOf(args[2]);
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(args[0])[0], count[0], "the sparse data"));
  const PrimRef size = c.Simplify(c.math().Sub(pointers[0], c.ir().Int(1)));
  const DType index = c.TypeOf(args[1]), pointer = c.TypeOf(args[2]), wide = DType::Int(64);
  return TupleOf(c.Kernels("sparse_transpose", args, [&](Te& te) {
    ScalarMath& m = te.math();
    // The number of elements in the columns before each one.
    ir::BufferRef starts = te.Reduce(
        "starts", pointers, count, te.Sum(pointer), [&](const Indices& at, const Indices& r) {
          return m.Cast(m.Lt(m.Cast(te.At(te.Input(1), r), wide), at[0]), pointer);
        });
    ir::BufferRef next =
        te.Compute("next", pointers, pointer, [&](const Indices& at) { return te.At(starts, at); });
    ir::BufferRef data = te.Allocate("data", count, c.TypeOf(args[0]));
    ir::BufferRef rows = te.Allocate("rows", count, index);
    te.Run("transpose", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("row", size, [&](PrimRef row) {
        const auto edge = [&](PrimRef at) { return m.Cast(te.At(te.Input(2), {at}), wide); };
        const PrimRef begin = s.Let("begin", edge(row));
        s.For("element", m.Sub(edge(m.Add(row, m.Int(1))), begin), [&](PrimRef element) {
          const PrimRef from = s.Let("from", m.Add(begin, element));
          const PrimRef column = s.Let("column", m.Cast(te.At(te.Input(1), {from}), wide));
          const PrimRef to = s.Let("to", m.Cast(te.At(next, {column}), wide));
          s.Store(data, {to}, te.At(te.Input(0), {from}));
          s.Store(rows, {to}, m.Cast(row, index));
          s.Store(next, {column}, m.Cast(m.Add(to, m.Int(1)), pointer));
        });
      });
    });
    return std::vector<ir::BufferRef>{data, rows, starts};
  }));
}

}  // namespace lathe::relay
