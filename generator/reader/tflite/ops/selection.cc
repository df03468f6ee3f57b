// Imports operators that select elements by position: slices, gathers, scatters and lookups.
#include "generator/reader/tflite/ops/selection.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

PrimRef IndexAt(Te& te, int input, Indices at) {
  return te.math().Cast(te.At(te.Input(input), std::move(at)), kWide);
}

// out[a.., i.., b..] = x[a.., indices[i..], b..]. The first `batch_dims` axes of both are common.
absl::StatusOr<Results> ImportGather(OpCall& c) {
  const Operand x = c.Arg(0), places = c.Arg(1);
  const Dims dims = c.DimsOf(x), chosen = c.DimsOf(places);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const int64_t written = c.Int("batch_dims"), rank = std::ssize(chosen);
  const int64_t batch = written < 0 ? written + rank : written;
  if (batch < 0 || batch > rank || batch > axis) {
    return c.Error() << written << " common axes of " << rank << " and axis " << axis;
  }
  for (int64_t i = 0; i < batch; ++i) {
    const auto at = static_cast<size_t>(i);
    if (c.In(0).shape[at] != c.In(1).shape[at]) {
      return c.Error() << "common axis " << i << " has " << c.In(0).shape[at] << " and "
                       << c.In(1).shape[at] << " positions";
    }
  }
  if (batch == 0) {
    return c.Op("relax.take", {x, places}, {{"axis", axis}});
  }
  Dims made(dims.begin(), dims.begin() + axis);
  made.insert(made.end(), chosen.begin() + batch, chosen.end());
  made.insert(made.end(), dims.begin() + axis + 1, dims.end());
  return c.Kernel("gather", {x, places}, [&](Te& te) {
    return te.Compute("out", made, c.TypeOf(x), [&](const Indices& at) {
      const auto first = at.begin() + axis, last = first + (rank - batch);
      Indices index(at.begin(), at.begin() + batch);
      index.insert(index.end(), first, last);
      Indices from(at.begin(), first);
      from.push_back(IndexAt(te, 1, index));
      from.insert(from.end(), last, at.end());
      return te.At(te.Input(0), from);
    });
  });
}

absl::StatusOr<Results> ImportGatherNd(OpCall& c) {
  const Operand x = c.Arg(0), places = c.Arg(1);
  const Dims dims = c.DimsOf(x), chosen = c.DimsOf(places);
  if (chosen.empty()) return c.Error() << "positions must have at least one dimension";
  const int64_t depth = c.In(1).shape.back();
  if (depth > std::ssize(dims)) {
    return c.Error() << "positions name " << depth << " axes of " << dims.size();
  }
  Dims made(chosen.begin(), chosen.end() - 1);
  made.insert(made.end(), dims.begin() + depth, dims.end());
  const auto outer = static_cast<std::ptrdiff_t>(chosen.size()) - 1;
  return c.Kernel("gather_nd", {x, places}, [&](Te& te) {
    return te.Compute("out", made, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (int64_t k = 0; k < depth; ++k) {
        Indices index(at.begin(), at.begin() + outer);
        index.push_back(te.math().Int(k));
        from.push_back(IndexAt(te, 1, index));
      }
      from.insert(from.end(), at.begin() + outer, at.end());
      return te.At(te.Input(0), from);
    });
  });
}

Operand Strided(OpCall& c, const Operand& x, const std::vector<int64_t>& starts,
                const std::vector<int64_t>& strides, const Dims& dims) {
  return c.Kernel("slice", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        from.push_back(m.Add(m.Mul(at[i], m.Int(strides[i])), m.Int(starts[i])));
      }
      return te.At(te.Input(0), from);
    });
  });
}

namespace {

// A box of `dims` that starts where elements of input 1 say.
Operand SlicedFrom(OpCall& c, const Operand& x, const Operand& starts, const Dims& dims) {
  return c.Kernel("slice", {x, starts}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        from.push_back(m.Add(at[i], IndexAt(te, 1, {m.Int(static_cast<int64_t>(i))})));
      }
      return te.At(te.Input(0), from);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSlice(OpCall& c) {
  const Operand x = c.Arg(0);
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (c.Out().shape.size() != shape.size()) {
    return c.Error() << "data and result have different numbers of dimensions";
  }
  const auto begin = c.ConstantInts(1), size = c.ConstantInts(2);
  for (const int i : {1, 2}) {
    if (c.In(i).shape == std::vector<int64_t>{std::ssize(shape)}) continue;
    return c.Error() << "input " << i << " must have one element per axis of the data";
  }
  if (!begin) return SlicedFrom(c, x, c.Arg(1), c.OutDims());
  std::vector<int64_t> made = c.Out().shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (size) made[i] = (*size)[i] == -1 ? shape[i] - (*begin)[i] : (*size)[i];
    if ((*begin)[i] < 0 || made[i] < 0 || (*begin)[i] > shape[i] - made[i]) {
      return c.Error() << "it takes " << made[i] << " positions from " << (*begin)[i] << " of axis "
                       << i << ", which has " << shape[i];
    }
  }
  return Strided(c, x, *begin, std::vector<int64_t>(shape.size(), 1), c.DimsFrom(made));
}

// Writes `update` over a part of `x`, whose start is moved until the part lies inside.
absl::StatusOr<Results> ImportDynamicUpdateSlice(OpCall& c) {
  const Operand x = c.Arg(0), update = c.Arg(1), starts = c.Arg(2);
  const std::vector<int64_t>&shape = c.In(0).shape, &part = c.In(1).shape;
  if (part.size() != shape.size() || c.In(2).shape != std::vector<int64_t>{std::ssize(shape)}) {
    return c.Error() << "data, update and starts have different numbers of dimensions";
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (part[i] > shape[i]) return c.Error() << "the update is larger than axis " << i;
  }
  if (c.In(0).type != c.In(1).type) return c.Error() << "data and update have different types";
  return c.Kernel("update_slice", {x, update, starts}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      PrimRef inside = m.ir().Bool(true);
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        const PrimRef written = IndexAt(te, 2, {m.Int(static_cast<int64_t>(i))});
        const PrimRef start = m.Max(m.Int(0), m.Min(written, m.Int(shape[i] - part[i])));
        from.push_back(m.Sub(at[i], start));
        inside = m.And(inside, m.InRange(from.back(), m.Int(0), m.Int(part[i])));
      }
      return m.IfThenElse(inside, te.At(te.Input(1), from), te.At(te.Input(0), at));
    });
  });
}

// Reverses the first lengths[b] positions of one axis.
absl::StatusOr<Results> ImportReverseSequence(OpCall& c) {
  const Operand x = c.Arg(0), lengths = c.Arg(1);
  LATHE_ASSIGN_OR_RETURN(const int along, c.Axis(c.Int("seq_dim"), c.Rank(x)));
  LATHE_ASSIGN_OR_RETURN(const int batch, c.Axis(c.Int("batch_dim"), c.Rank(x)));
  const auto along_at = static_cast<size_t>(along), batch_at = static_cast<size_t>(batch);
  if (along == batch || c.In(1).shape != std::vector<int64_t>{c.In(0).shape[batch_at]}) {
    return c.Error() << "axes " << along << " and " << batch << " or the lengths do not fit";
  }
  return c.Kernel("reverse_sequence", {x, lengths}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      const PrimRef length = IndexAt(te, 1, {at[batch_at]});
      Indices from = at;
      const PrimRef mirrored = m.Sub(m.Sub(length, m.Int(1)), at[along_at]);
      from[along_at] = m.Select(m.Lt(at[along_at], length), mirrored, at[along_at]);
      return te.At(te.Input(0), from);
    });
  });
}

// SELECT takes a condition of the shape of the data, a scalar, or one element per row.
absl::StatusOr<Results> ImportSelect(OpCall& c) {
  if (c.In(1).type != c.In(2).type) return c.Error() << "its operands have different types";
  if (!c.TypeOf(c.Arg(0)).is_bool()) return c.Error() << "the condition is not bool";
  Operand condition = c.Arg(0);
  const size_t rank = c.In(1).shape.size();
  if (c.In(0).shape.size() == 1 && rank > 1) {
    std::vector<int64_t> rows(rank, 1);
    rows[0] = c.In(0).shape[0];
    if (rows[0] != c.In(1).shape[0] && rows[0] != 1) {
      return c.Error() << "a condition of " << rows[0] << " elements for " << c.In(1).shape[0]
                       << " rows";
    }
    condition = c.Reshape(condition, c.DimsFrom(rows));
  }
  return c.Op("relax.where", {condition, c.Arg(1), c.Arg(2)});
}

absl::StatusOr<Results> ImportSelectV2(OpCall& c) {
  if (c.In(1).type != c.In(2).type) return c.Error() << "its operands have different types";
  if (!c.TypeOf(c.Arg(0)).is_bool()) return c.Error() << "the condition is not bool";
  return c.Op("relax.where", {c.Arg(0), c.Arg(1), c.Arg(2)});
}

}  // namespace lathe::tflite
