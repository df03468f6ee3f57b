// Imports operators that join, split and repeat tensors.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/slice_of.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// The tensors of a tuple argument: at least one, of one dtype.
absl::StatusOr<Operands> TensorsOf(OpCall& c, int i) {
  Operands fields = c.Fields(i);
  LATHE_RETURN_IF_ERROR(c.status());
  if (fields.empty()) return c.Error() << "its tuple is empty";
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, fields));
  return fields;
}

// Casts `x` to the sizes of `first` except along `axis`; checked at run time if not provable.
absl::StatusOr<Operand> SizedLike(OpCall& c, const Operand& first, const Operand& x, int axis) {
  const Dims wanted = c.DimsOf(first);
  Dims dims = c.DimsOf(x);
  if (dims.size() != wanted.size()) {
    return c.Error() << "tensors of " << wanted.size() << " and " << dims.size() << " dimensions";
  }
  bool same = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (static_cast<int>(i) == axis || dims[i] == wanted[i]) continue;
    if (Differ(dims[i], wanted[i])) {
      return c.Error() << "sizes " << ir::ToString(wanted[i]) << " and " << ir::ToString(dims[i])
                       << " of dimension " << i << " differ";
    }
    dims[i] = wanted[i];
    same = false;
  }
  return same ? x : c.builder().MatchCast(x, c.ir().Tensor(std::move(dims), c.TypeOf(x)));
}

}  // namespace

absl::StatusOr<Operand> ImportConcatenate(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands fields, TensorsOf(c, 0));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(fields[0])));
  for (size_t i = 1; i < fields.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(fields[i], SizedLike(c, fields[0], fields[i], axis));
  }
  if (fields.size() == 1) return fields[0];
  return OfTuple(c, "relax.concat", std::move(fields), Axis(axis));
}

absl::StatusOr<Operand> ImportStack(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands fields, TensorsOf(c, 0));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(fields[0]) + 1));
  for (size_t i = 1; i < fields.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(fields[i], SizedLike(c, fields[0], fields[i], -1));
  }
  return OfTuple(c, "relax.stack", std::move(fields), Axis(axis));
}

// The parts are given as their number or as the indices between them.
absl::StatusOr<Operand> ImportSplit(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const PrimRef dim = c.DimsOf(x)[static_cast<size_t>(axis)];
  const auto size = OpCall::IntOf(dim);
  const ir::AttrValue& wanted = c.Attr("indices_or_sections");
  if (const int64_t* parts = wanted.As<int64_t>()) {
    if (*parts < 1) return c.Error() << "a split into " << *parts << " parts";
    if (size && *size % *parts != 0) {
      return c.Error() << *parts << " parts do not divide a size of " << *size;
    }
    if (*parts == 1) return TupleOf({x});
    return c.Op("relax.split", {x}, {{"indices_or_sections", *parts}, {"axis", axis}});
  }
  const ir::AttrList* list = wanted.As<ir::AttrList>();
  if (list == nullptr) return c.Error() << "indices_or_sections is neither a number nor a list";
  std::vector<int64_t> indices;
  for (const ir::AttrValue& item : *list) {
    const int64_t* index = item.As<int64_t>();
    if (index == nullptr) return c.Error() << "an index that is no integer";
    const int64_t least = indices.empty() ? 1 : indices.back() + 1;
    if (*index < least || (size && *index >= *size)) {
      return c.Error() << "the indices have to ascend, between 0 and the size "
                       << ir::ToString(dim);
    }
    indices.push_back(*index);
  }
  if (indices.empty()) return TupleOf({x});
  return c.Op("relax.split", {x}, {{"indices_or_sections", ListOf(indices)}, {"axis", axis}});
}

absl::StatusOr<Operand> Tiled(OpCall& c, Operand x, const std::vector<int64_t>& reps) {
  if (std::any_of(reps.begin(), reps.end(), [](int64_t rep) { return rep < 1; })) {
    return c.Error() << "repetitions have to be at least 1";
  }
  return c.Op("relax.tile", {std::move(x)}, {{"repeats", ListOf(reps)}});
}

absl::StatusOr<Operand> ImportTile(OpCall& c) { return Tiled(c, c.Arg(0), c.Ints("reps")); }

absl::StatusOr<Operand> ImportRepeat(OpCall& c) {
  const Operand x = c.Arg(0);
  const int64_t repeats = c.Int("repeats");
  if (repeats < 1) return c.Error() << "repeats is " << repeats << "; at least 1";
  ir::AttrMap attrs = {{"repeats", repeats}};
  if (const auto axis = c.OptionalInt("axis")) {
    LATHE_ASSIGN_OR_RETURN(const int one, c.Axis(*axis, c.Rank(x)));
    attrs["axis"] = one;
  }
  return c.Op("relax.repeat", {x}, std::move(attrs));
}

absl::StatusOr<Operand> ImportReverse(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  return c.Op("relax.flip", {x}, Axis(axis));
}

absl::StatusOr<Operand> ImportReverseSequence(OpCall& c) {
  const Operand x = c.Arg(0), lengths = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireRank(c, lengths, 1, "the lengths"));
  LATHE_ASSIGN_OR_RETURN(const int time, c.Axis(c.Int("seq_axis"), c.Rank(x)));
  LATHE_ASSIGN_OR_RETURN(const int batch, c.Axis(c.Int("batch_axis"), c.Rank(x)));
  if (!c.TypeOf(lengths).is_integer()) return c.Error() << "the lengths have to be integers";
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(lengths)[0], c.DimsOf(x)[static_cast<size_t>(batch)], "the lengths"));
  // A length beyond the sequence is its whole length.
  const PrimRef longest = c.DimsOf(x)[static_cast<size_t>(time)];
  const Operand within = c.Elementwise("lengths", {lengths}, [&](ScalarMath& m, const Scalars& v) {
    return m.Cast(m.Min(m.Cast(v[0], DType::Int(64)), longest), v[0]->dtype());
  });
  return c.Op("relax.reverse_sequence", {x, within}, {{"seq_axis", time}, {"batch_axis", batch}});
}

absl::StatusOr<Operand> ImportMeshgrid(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands fields, TensorsOf(c, 0));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "indexing", {"ij", "xy"}));
  for (Operand& field : fields) {
    if (c.Rank(field) == 0) field = c.Reshape(field, {c.ir().Int(1)});
    LATHE_RETURN_IF_ERROR(RequireRank(c, field, 1, "each tensor"));
  }
  return OfTuple(c, "relax.meshgrid", std::move(fields), {{"indexing", c.Str("indexing")}});
}

absl::StatusOr<Operand> ImportEinsum(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(Operands fields, TensorsOf(c, 0));
  return OfTuple(c, "relax.einsum", std::move(fields), {{"subscripts", c.Str("equation")}});
}

}  // namespace lathe::relay
