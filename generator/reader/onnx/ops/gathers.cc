// Imports gathers and scatters.
#include "absl/strings/str_cat.h"
#include "generator/ops/te/index_tensors.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Rejects constant indices that are out of bounds. Other indices are checked at run time.
absl::Status CheckKnown(NodeCall& n, int input, PrimRef dim) {
  const auto known = n.ConstantInts(input);
  const auto size = NodeCall::IntOf(dim);
  if (!known || !size) return absl::OkStatus();
  for (const int64_t index : *known) {
    if (index >= -*size && index < *size) continue;
    return n.Error() << "index " << index << " is out of range for a dimension of " << *size;
  }
  return absl::OkStatus();
}

// Returns indices whose last dimension is constant: their number of dimensions less one, and the
// dimensions of the data that the indices leave, are those of the result or of the updates.
absl::StatusOr<Operand> WithDepth(NodeCall& n, const Operand& indices, int64_t data,
                                  std::optional<int64_t> result) {
  Dims by = n.DimsOf(indices);
  LATHE_RETURN_IF_ERROR(n.status());
  if (by.empty() || NodeCall::IntOf(by.back())) return indices;
  if (!result) {
    return n.Unsupported() << "a last dimension of the indices that is not constant is not "
                              "supported without a declared rank of the result";
  }
  const int64_t depth = data + std::ssize(by) - 1 - *result;
  if (depth < 0) return n.Error() << "the shape of the indices does not match the data";
  by.back() = n.ir().Int(depth);
  return n.builder().MatchCast(indices, n.ir().Tensor(by, n.TypeOf(indices)));
}

}  // namespace

absl::StatusOr<Results> ImportGather(NodeCall& n) {
  const Operand x = n.In(0), indices = n.In(1);
  const Dims from = n.DimsOf(x), by = n.DimsOf(indices);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), static_cast<int>(from.size())));
  Dims dims(from.begin(), from.begin() + axis);
  dims.insert(dims.end(), by.begin(), by.end());
  dims.insert(dims.end(), from.begin() + axis + 1, from.end());
  LATHE_RETURN_IF_ERROR(CheckKnown(n, 1, from[static_cast<size_t>(axis)]));
  return n.Kernel("gather", {x, indices}, [&](Te& te) {
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      const auto begin = at.begin() + axis, end = begin + std::ssize(by);
      Indices source(at.begin(), begin);
      const PrimRef dim = from[static_cast<size_t>(axis)];
      source.push_back(ops::WrapIndex(te.math(), te.At(te.Input(1), Indices(begin, end)), dim));
      source.insert(source.end(), end, at.end());
      return te.At(te.Input(0), source);
    });
  });
}

absl::StatusOr<Results> ImportGatherElements(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(n.In(0))));
  const Operand x = n.In(0), indices = n.In(1);
  const Dims from = n.DimsOf(x);
  if (n.Rank(indices) != n.Rank(x)) return n.Error() << "indices and data must have the same rank";
  LATHE_RETURN_IF_ERROR(CheckKnown(n, 1, from[static_cast<size_t>(axis)]));
  const Dims by = n.DimsOf(indices);
  return n.Kernel("gather_elements", {x, indices}, [&](Te& te) {
    for (size_t a = 0; a < from.size(); ++a) {
      if (static_cast<int>(a) == axis || by[a] == from[a]) continue;
      te.Need(te.math().Le(by[a], from[a]),
              absl::StrCat("GatherElements needs indices of at most ", ir::ToString(from[a]),
                           " along dimension ", a, ", and has ", ir::ToString(by[a])));
    }
    return te.Compute("out", n.DimsOf(indices), n.TypeOf(x), [&](const Indices& at) {
      Indices source = at;
      const auto a = static_cast<size_t>(axis);
      source[a] = ops::WrapIndex(te.math(), te.At(te.Input(1), at), from[a]);
      return te.At(te.Input(0), source);
    });
  });
}

absl::StatusOr<Results> ImportGatherND(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const int64_t batch = n.Int("batch_dims", 0);
  std::optional<int64_t> rank;
  if (const Type* declared = n.DeclaredType(0); declared != nullptr && declared->dims) {
    rank = std::ssize(*declared->dims);
  }
  LATHE_ASSIGN_OR_RETURN(const Operand indices,
                         WithDepth(n, n.In(1), std::ssize(from) - batch, rank));
  const Dims by = n.DimsOf(indices);
  const auto depth = by.empty() ? std::nullopt : NodeCall::IntOf(by.back());
  if (!depth || batch < 0 || batch >= std::ssize(by) || *depth < 1 ||
      batch + *depth > std::ssize(from)) {
    return n.Error() << "the shape of the indices does not match the data";
  }
  Dims dims(by.begin(), by.end() - 1);
  const auto rest = batch + *depth;
  dims.insert(dims.end(), from.begin() + rest, from.end());
  return n.Kernel("gather_nd", {x, indices}, [&](Te& te) {
    const Dims batches(by.begin(), by.begin() + batch);
    NeedSameDims(n, te, batches, from, "the indices");
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      const auto lead = at.begin() + (std::ssize(by) - 1);
      Indices source(at.begin(), at.begin() + batch);
      for (int64_t k = 0; k < *depth; ++k) {
        Indices which(at.begin(), lead);
        which.push_back(te.math().Int(k));
        source.push_back(ops::WrapIndex(te.math(), te.At(te.Input(1), which),
                                        from[static_cast<size_t>(batch + k)]));
      }
      source.insert(source.end(), lead, at.end());
      return te.At(te.Input(0), source);
    });
  });
}

absl::StatusOr<Results> ImportScatter(NodeCall& n) {
  const std::string reduction = n.String("reduction", "none");
  ir::AttrMap attrs = {{"reduction", reduction == "none" ? "update" : reduction}};
  if (n.op() == "ScatterND") {
    LATHE_ASSIGN_OR_RETURN(const Operand indices,
                           WithDepth(n, n.In(1), n.Rank(n.In(0)), n.Rank(n.In(2))));
    return n.Op("relax.scatter_nd", {n.In(0), indices, n.In(2)}, attrs);
  }
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(n.In(0))));
  attrs["axis"] = axis;
  const Dims from = n.DimsOf(n.In(0));
  LATHE_RETURN_IF_ERROR(CheckKnown(n, 1, from[static_cast<size_t>(axis)]));
  return n.Op("relax.scatter_elements", {n.In(0), n.In(1), n.In(2)}, attrs);
}

absl::StatusOr<Results> ImportOneHot(NodeCall& n) {
  const Operand indices = n.In(0), values = n.In(2);
  const Dims by = n.DimsOf(indices);
  LATHE_ASSIGN_OR_RETURN(const int axis,
                         n.Axis(n.Int("axis", -1), static_cast<int>(by.size()) + 1));
  PrimRef depth = nullptr;
  bool at_run_time = false;
  if (const auto known = n.ConstantNumbers(1); known && known->size() == 1) {
    // A depth of floating-point type may be NaN or out of range.
    const double wanted = (*known)[0];
    if (!(wanted >= 0 && wanted < 9e18))
      return n.Error() << "'depth' must not be negative, got " << wanted;
    depth = n.ir().Int(static_cast<int64_t>(wanted));
    LATHE_RETURN_IF_ERROR(n.NeedSizes({depth}));
  } else if (const auto declared = n.DeclaredDims(0);
             declared && declared->size() == by.size() + 1) {
    depth = (*declared)[static_cast<size_t>(axis)];
    at_run_time = true;
  } else {
    depth = FoundDim(n, {n.In(1)}, [](Te& te) { return OnlyEntry(te, 0); });
    LATHE_RETURN_IF_ERROR(n.status());
  }
  Dims dims = by;
  dims.insert(dims.begin() + axis, depth);
  Operands args = {indices, values};
  if (at_run_time) args.push_back(n.In(1));
  return n.Kernel("one_hot", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (at_run_time) NeedSame(n, te, OnlyEntry(te, 2), depth, "the depth");
    return te.Compute("out", dims, n.TypeOf(values), [&](const Indices& at) {
      Indices which = at;
      which.erase(which.begin() + axis);
      PrimRef index = te.At(te.Input(0), which);
      // Of unsigned numbers none counts from the end.
      if (index->dtype() == DType::UInt(64))
        index = m.Min(index, m.Const(kFarthest, DType::UInt(64)));
      const PrimRef wrapped = ops::WrapIndex(m, index, depth);
      return m.Select(m.Eq(wrapped, at[static_cast<size_t>(axis)]), te.At(te.Input(1), {m.Int(1)}),
                      te.At(te.Input(1), {m.Int(0)}));
    });
  });
}

absl::StatusOr<Results> ImportReverseSequence(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int batch, n.Axis(n.Int("batch_axis", 1), n.Rank(x)));
  LATHE_ASSIGN_OR_RETURN(const int time, n.Axis(n.Int("time_axis", 0), n.Rank(x)));
  const Dims dims = n.DimsOf(x);
  return n.Kernel("reverse_sequence", {x, n.In(1)}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, n.LengthOf(te.Input(1)->shape), dims[static_cast<size_t>(batch)],
             "as many lengths");
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      const auto t = static_cast<size_t>(time);
      const PrimRef length =
          m.Cast(te.At(te.Input(1), {at[static_cast<size_t>(batch)]}), DType::Int(64));
      // A length beyond the sequence leads to an index out of bounds, which is reported.
      Indices source = at;
      source[t] = m.Select(m.Lt(at[t], length), m.Sub(m.Sub(length, m.Int(1)), at[t]), at[t]);
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace lathe::onnx
