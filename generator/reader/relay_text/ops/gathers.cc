// Imports operators that read elements at indices from a tensor.
#include <algorithm>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

absl::Status RequireIndices(OpCall& c, const Operand& indices) {
  if (c.TypeOf(indices).is_integer()) return absl::OkStatus();
  return c.Error() << "indices have to be integers, not " << ir::ToString(c.TypeOf(indices));
}

PrimRef InMode(ScalarMath& m, PrimRef index, PrimRef dim, const std::string& mode) {
  index = m.Cast(index, DType::Int(64));
  if (mode == "wrap") return m.FloorMod(index, dim);
  if (mode == "clip") return m.Min(m.Max(index, m.Int(0)), m.Sub(dim, m.Int(1)));
  return index;
}

// The first `batch` axes are common to the data and the indices.
absl::StatusOr<Operand> TakeInBatches(OpCall& c, const Operand& x, const Operand& indices, int axis,
                                      int batch) {
  const Dims from = c.DimsOf(x), by = c.DimsOf(indices);
  if (batch > axis) return c.Error() << "batch_dims is " << batch << ", beyond axis " << axis;
  for (int i = 0; i < batch; ++i) {
    const auto at = static_cast<size_t>(i);
    LATHE_RETURN_IF_ERROR(RequireSize(c, by[at], from[at], "a batch axis of the indices"));
  }
  Dims dims(from.begin(), from.begin() + axis);
  dims.insert(dims.end(), by.begin() + batch, by.end());
  dims.insert(dims.end(), from.begin() + axis + 1, from.end());
  const std::string mode = c.Str("mode");
  return c.Kernel("take", {x, indices}, [&](Te& te) {
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      const auto begin = at.begin() + axis, end = begin + (std::ssize(by) - batch);
      Indices which(at.begin(), at.begin() + batch);
      which.insert(which.end(), begin, end);
      Indices source(at.begin(), begin);
      source.push_back(
          InMode(te.math(), te.At(te.Input(1), which), from[static_cast<size_t>(axis)], mode));
      source.insert(source.end(), end, at.end());
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace

absl::StatusOr<Operand> ImportTake(OpCall& c) {
  Operand x = c.Arg(0);
  const Operand indices = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireIndices(c, indices));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "mode", {"clip", "wrap", "fast"}));
  int axis = 0;
  if (const auto wanted = c.OptionalInt("axis")) {
    LATHE_ASSIGN_OR_RETURN(axis, c.Axis(*wanted, c.Rank(x)));
  } else {
    const Dims dims = c.DimsOf(x);
    x = c.Reshape(x, {c.Product(dims, 0, dims.size())});
  }
  int64_t batch = c.Int("batch_dims");
  const int rank = c.Rank(indices);
  if (batch < 0) batch += rank;
  if (batch < 0 || batch > rank) return c.Error() << "batch_dims of " << c.Int("batch_dims");
  if (batch > 0) return TakeInBatches(c, x, indices, axis, static_cast<int>(batch));
  return c.Op("relax.take", {x, indices}, {{"axis", axis}, {"mode", c.Str("mode")}});
}

// Indices are clamped: they do not count from the end, and TVM does not check them.
absl::StatusOr<Operand> ImportGather(OpCall& c) {
  const Operand x = c.Arg(0), indices = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireIndices(c, indices));
  LATHE_RETURN_IF_ERROR(RequireRank(c, indices, c.Rank(x), "the tensor of indices"));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const Dims from = c.DimsOf(x), by = c.DimsOf(indices);
  for (size_t i = 0; i < from.size(); ++i) {
    if (static_cast<int>(i) == axis) continue;
    LATHE_RETURN_IF_ERROR(RequireSize(c, by[i], from[i], "an axis of the indices"));
  }
  return c.Kernel("gather", {x, indices}, [&](Te& te) {
    return te.Compute("out", by, c.TypeOf(x), [&](const Indices& at) {
      Indices source = at;
      const auto along = static_cast<size_t>(axis);
      source[along] = InMode(te.math(), te.At(te.Input(1), at), from[along], "clip");
      return te.At(te.Input(0), source);
    });
  });
}

namespace {

// The length of the index tuples, which run along axis 0.
absl::StatusOr<int64_t> TupleLength(OpCall& c, const Operand& indices, int64_t most) {
  LATHE_RETURN_IF_ERROR(RequireIndices(c, indices));
  const Dims by = c.DimsOf(indices);
  if (by.empty()) return c.Error() << "the tensor of indices is a scalar";
  const auto length = OpCall::IntOf(by[0]);
  if (!length) return c.Error() << "the first dimension of the indices has to be known";
  if (*length < 1 || *length > most) {
    return c.Error() << "index tuples of length " << *length << ", for " << most << " axes";
  }
  return *length;
}

}  // namespace

// Indices are clamped, as in gather.
absl::StatusOr<Operand> ImportGatherNd(OpCall& c) {
  const Operand x = c.Arg(0), indices = c.Arg(1);
  const Dims from = c.DimsOf(x), by = c.DimsOf(indices);
  const int64_t batch = c.Int("batch_dims");
  if (batch < 0 || batch > std::ssize(from) || batch >= std::ssize(by)) {
    return c.Error() << "batch_dims of " << batch;
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t length, TupleLength(c, indices, std::ssize(from) - batch));
  for (int64_t i = 0; i < batch; ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, by[static_cast<size_t>(i + 1)],
                                      from[static_cast<size_t>(i)], "a batch axis"));
  }
  Dims dims(by.begin() + 1, by.end());
  dims.insert(dims.end(), from.begin() + batch + length, from.end());
  return c.Kernel("gather_nd", {x, indices}, [&](Te& te) {
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      const auto lead = at.begin() + (std::ssize(by) - 1);
      Indices source(at.begin(), at.begin() + batch);
      for (int64_t k = 0; k < length; ++k) {
        Indices which = {te.math().Int(k)};
        which.insert(which.end(), at.begin(), lead);
        source.push_back(InMode(te.math(), te.At(te.Input(1), which),
                                from[static_cast<size_t>(batch + k)], "clip"));
      }
      source.insert(source.end(), lead, at.end());
      return te.At(te.Input(0), source);
    });
  });
}

absl::StatusOr<Operand> ImportScatterNd(OpCall& c) {
  const Operand x = c.Arg(0), updates = c.Arg(2);
  Operand indices = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, updates}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "mode", {"update", "add", "mul", "min", "max"}));
  const Dims from = c.DimsOf(x), by = c.DimsOf(indices), given = c.DimsOf(updates);
  LATHE_ASSIGN_OR_RETURN(const int64_t length, TupleLength(c, indices, std::ssize(from)));
  Dims wanted(by.begin() + 1, by.end());
  wanted.insert(wanted.end(), from.begin() + length, from.end());
  LATHE_RETURN_IF_ERROR(
      RequireRank(c, updates, static_cast<int>(wanted.size()), "the tensor of updates"));
  for (size_t i = 0; i < wanted.size(); ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, given[i], wanted[i], "an axis of the updates"));
  }
  std::vector<int> order;
  for (int i = 1; i < c.Rank(indices); ++i) order.push_back(i);
  order.push_back(0);
  indices = c.Transposed(indices, order);
  return c.Op("relax.scatter_nd", {x, indices, updates}, {{"reduction", c.Str("mode")}});
}

absl::StatusOr<Operand> ImportScatterElements(OpCall& c) {
  const Operand x = c.Arg(0), indices = c.Arg(1), updates = c.Arg(2);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, updates}));
  LATHE_RETURN_IF_ERROR(RequireIndices(c, indices));
  LATHE_RETURN_IF_ERROR(
      RequireOneOf(c, "reduction", {"update", "add", "mul", "mean", "min", "max"}));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  return c.Op("relax.scatter_elements", {x, indices, updates},
              {{"axis", axis}, {"reduction", c.Str("reduction")}});
}

// x[indices...], the indices broadcast.
absl::StatusOr<Operand> ImportAdvIndex(OpCall& c) {
  Operands fields = c.Fields(0);
  LATHE_RETURN_IF_ERROR(c.status());
  if (fields.size() < 2) return c.Error() << "its tuple needs a tensor and its indices";
  const Operand x = fields[0];
  fields.erase(fields.begin());
  for (const Operand& indices : fields) LATHE_RETURN_IF_ERROR(RequireIndices(c, indices));
  return c.Op("relax.index_tensor", {x, TupleOf(std::move(fields))});
}

}  // namespace lathe::relay
