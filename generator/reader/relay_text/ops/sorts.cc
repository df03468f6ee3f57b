// Imports sorting, searching and running sums.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/sort_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportSort(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0))));
  const bool descending = !c.Bool("is_ascend");
  if (c.op() == "sort") {
    return c.Op("relax.sort", {c.Arg(0)}, {{"axis", axis}, {"descending", descending}});
  }
  return c.Op("relax.argsort", {c.Arg(0)},
              {{"axis", axis},
               {"descending", descending},
               {"dtype", c.DTypeAttr("dtype").value_or(DType::Int(32))}});
}

absl::StatusOr<Operand> TopK(OpCall& c, int64_t k) {
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0))));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "ret_type", {"both", "values", "indices"}));
  const auto size = OpCall::IntOf(c.DimsOf(c.Arg(0))[static_cast<size_t>(axis)]);
  if (size && k > *size) return c.Error() << "the first " << k << " of " << *size << " elements";
  return c.Op("relax.topk", {c.Arg(0)},
              {{"k", k},
               {"axis", axis},
               {"ret_type", c.Str("ret_type")},
               {"largest", !c.Bool("is_ascend")},
               {"dtype", c.DTypeAttr("dtype").value_or(DType::Int(32))}});
}

absl::StatusOr<Operand> ImportTopk(OpCall& c) { return TopK(c, c.OptionalInt("k").value_or(0)); }

absl::StatusOr<Operand> ImportCumulative(OpCall& c) {
  Operand x = c.Arg(0);
  int axis = 0;
  if (const auto wanted = c.OptionalInt("axis")) {
    LATHE_ASSIGN_OR_RETURN(axis, c.Axis(*wanted, c.Rank(x)));
  } else {
    const Dims dims = c.DimsOf(x);
    x = c.Reshape(x, {c.Product(dims, 0, dims.size())});
  }
  ir::AttrMap attrs = {{"axis", axis}, {"exclusive", c.Bool("exclusive")}};
  // A bool is summed as int32.
  if (c.TypeOf(x).is_bool()) x = c.Cast(x, DType::Int(32));
  if (const auto dtype = c.DTypeAttr("dtype")) attrs["dtype"] = *dtype;
  return c.Op(absl::StrCat("relax.", c.op()), {x}, std::move(attrs));
}

// (values, index of the first of each, inverse, (count,), [counts]); as long as x, zero behind the
// count.
absl::StatusOr<Operand> ImportUnique(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 1, "the data"));
  const Dims dims = c.DimsOf(x);
  const bool sorted = c.Bool("sorted"), with_counts = c.Bool("return_counts");
  const DType dtype = c.TypeOf(x), index = DType::Int(32);
  Operands results = c.Kernels("unique", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef in = te.Input(0);
    const auto zeros = [&](absl::string_view name, DType of) {
      return te.Compute(name, dims, of, [&](const Indices&) { return m.Const(0, of); });
    };
    ir::BufferRef first =
        te.Reduce("first", dims, dims, te.Min(index), [&](const Indices& at, const Indices& r) {
          return m.Select(m.Eq(te.At(in, r), te.At(in, at)), m.Cast(r[0], index),
                          m.Cast(dims[0], index));
        });
    const auto leads = [&](PrimRef r) { return m.Eq(te.At(first, {r}), m.Cast(r, index)); };
    ir::BufferRef inverse =
        te.Reduce("inverse", dims, dims, te.Sum(index), [&](const Indices& at, const Indices& r) {
          const PrimRef before = sorted ? m.Lt(te.At(in, r), te.At(in, at))
                                        : m.Lt(m.Cast(r[0], index), te.At(first, at));
          return m.Cast(m.And(leads(r[0]), before), index);
        });
    ir::BufferRef count =
        te.Reduce("count", {m.Int(1)}, dims, te.Sum(index),
                  [&](const Indices&, const Indices& r) { return m.Cast(leads(r[0]), index); });
    ir::BufferRef values = zeros("values", dtype), places = zeros("places", index);
    const auto to = [&](const Indices& at) { return Indices{te.At(inverse, at)}; };
    te.Accumulate("store_value", values, dims, [&](const Indices& at) {
      return Te::Store{to(at), te.At(in, at)};
    });
    te.Accumulate("store_place", places, dims, [&](const Indices& at) {
      return Te::Store{to(at), te.At(first, at)};
    });
    std::vector<ir::BufferRef> all = {values, places, inverse, count};
    if (with_counts) {
      all.push_back(zeros("counts", index));
      te.Accumulate("count_value", all.back(), dims, [&](const Indices& at) {
        return Te::Store{to(at), m.Add(te.At(all.back(), to(at)), m.Const(1, index))};
      });
    }
    return all;
  });
  return TupleOf(std::move(results));
}

// One row of coordinates per element that is not zero.
absl::StatusOr<Operand> ImportArgwhere(OpCall& c) {
  const Operand found = c.Op("relax.nonzero", {c.Arg(0)});
  return c.Cast(c.Op("relax.permute_dims", {found}), DType::Int(32));
}

// Counts the elements of each sorted row that lie before a value.
absl::StatusOr<Operand> ImportSearchsorted(OpCall& c) {
  const Operand sequence = c.Arg(0), values = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {sequence, values}));
  const Dims rows = c.DimsOf(sequence), dims = c.DimsOf(values);
  if (rows.empty() || (rows.size() > 1 && rows.size() != dims.size())) {
    return c.Error() << "a sequence of " << rows.size() << " dimensions and values of "
                     << dims.size();
  }
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, dims[i], rows[i], "an axis of the values"));
  }
  const bool right = c.Bool("right");
  const DType dtype = c.DTypeAttr("dtype").value_or(DType::Int(32));
  return c.Kernel("searchsorted", {sequence, values}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", dims, {rows.back()}, te.Sum(dtype),
                     [&](const Indices& at, const Indices& r) {
                       Indices place;
                       if (rows.size() > 1) place.assign(at.begin(), at.end() - 1);
                       place.push_back(r[0]);
                       const PrimRef element = te.At(te.Input(0), place);
                       const PrimRef value = te.At(te.Input(1), at);
                       return m.Cast(right ? m.Le(element, value) : m.Lt(element, value), dtype);
                     });
  });
}

absl::StatusOr<Operand> ImportInvertPermutation(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 1, "the permutation"));
  if (!c.TypeOf(x).is_integer()) return c.Error() << "its operand has to be of an integer dtype";
  const Dims dims = c.DimsOf(x);
  const DType dtype = c.TypeOf(x);
  return c.Kernel("invert_permutation", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef out =
        te.Compute("out", dims, dtype, [&](const Indices&) { return m.Const(0, dtype); });
    te.Accumulate("invert", out, dims, [&](const Indices& at) {
      return Te::Store{{m.Cast(te.At(te.Input(0), at), DType::Int(64))}, m.Cast(at[0], dtype)};
    });
    return out;
  });
}

// Row a of the result holds the coordinates of axis a.
absl::StatusOr<Operand> ImportUnravelIndex(OpCall& c) {
  const Operand indices = c.Arg(0), shape = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {indices, shape}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, shape, 1, "the shape"));
  if (!c.TypeOf(indices).is_integer()) return c.Error() << "indices have to be integers";
  const auto rank = OpCall::IntOf(c.DimsOf(shape)[0]);
  if (!rank) return c.Unsupported() << "a shape of unknown length";
  Dims dims = c.DimsOf(indices);
  dims.insert(dims.begin(), c.ir().Int(*rank));
  const DType dtype = c.TypeOf(indices);
  return c.Kernel("unravel_index", {indices, shape}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef flat = te.At(te.Input(0), Indices(at.begin() + 1, at.end()));
      PrimRef rest = flat, value = m.Const(0, dtype);
      for (int64_t axis = *rank; axis-- > 0;) {
        const PrimRef size = m.Max(te.At(te.Input(1), {m.Int(axis)}), m.Const(1, dtype));
        value = m.Select(m.Eq(at[0], m.Int(axis)), m.FloorMod(rest, size), value);
        rest = m.FloorDiv(rest, size);
      }
      return value;
    });
  });
}

}  // namespace lathe::relay
