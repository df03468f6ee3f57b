// Imports operators whose result size depends on data. The size is declared or known at run time.
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_length.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

PrimRef IsNonzero(ScalarMath& m, PrimRef value) {
  return value->dtype().is_bool() ? value : m.Ne(value, m.Const(0, value->dtype()));
}

// Counts the nonzero elements of `x` at the indices `over`.
PrimRef CountNonzero(NodeCall& n, const Operand& x, const Dims& over) {
  return FoundLength(n, n.Kernel("count", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", {m.Int(1)}, over, te.Sum(DType::Int(64)),
                     [&](const Indices&, const Indices& at) {
                       return m.Select(IsNonzero(m, te.At(te.Input(0), at)), m.Int(1), m.Int(0));
                     });
  }));
}

// Checks that the count equals the declared size.
void NeedAll(ops::Statements& s, PrimRef count, PrimRef room) {
  ScalarMath m(s.context());
  s.Need(m.Eq(count, room),
         absl::StrCat("as many elements are needed as the model declares, ", ir::ToString(room)));
}

// -1, 0 or 1 if p is less than, equal to or greater than q. NaN equals itself, and is above every
// number.
PrimRef OrderOfElements(ScalarMath& m, PrimRef p, PrimRef q) {
  PrimRef less = m.Lt(p, q), greater = m.Lt(q, p);
  if (p->dtype().is_floating()) {
    less = m.Or(less, m.And(m.Eq(p, p), m.Ne(q, q)));
    greater = m.Or(greater, m.And(m.Eq(q, q), m.Ne(p, p)));
  }
  return m.Select(less, m.Int(-1), m.Select(greater, m.Int(1), m.Int(0)));
}

}  // namespace

absl::StatusOr<Results> ImportNonZero(NodeCall& n) {
  const Operand x = n.In(0);  // a scalar has no indices: its result has no rows
  const Dims from = n.DimsOf(x);
  const auto declared = n.DeclaredDims(0);
  LATHE_RETURN_IF_ERROR(n.status());
  const bool said = declared && declared->size() == 2;
  const PrimRef room = said ? (*declared)[1] : CountNonzero(n, x, from);
  return n.Kernel("non_zero", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef rank = m.Int(std::ssize(from)), zero = m.Int(0);
    ir::BufferRef out =
        te.Compute("out", {rank, room}, DType::Int(64), [&](const Indices&) { return zero; });
    ir::BufferRef count = te.Allocate("count", {m.Int(1)}, DType::Int(64));
    te.Run("start", {m.Int(1)},
           [&](ops::Statements& s, const Indices&) { s.Store(count, {zero}, zero); });
    te.Run("search", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("i", n.Product(from, 0, from.size()), [&](PrimRef i) {
        const Indices at = m.Unflatten(i, from);
        const PrimRef value = te.At(te.Input(0), at);
        const PrimRef place = s.Let("place", te.At(count, {zero}));
        const PrimRef found = IsNonzero(m, value);
        for (size_t a = 0; a < at.size(); ++a) {
          s.If(m.And(found, m.Lt(place, room)), [&] {
            s.Store(out, {m.Int(static_cast<int64_t>(a)), place}, at[a]);
          });
        }
        s.If(found, [&] { s.Store(count, {zero}, m.Add(place, m.Int(1))); });
      });
      NeedAll(s, te.At(count, {zero}), room);
    });
    return out;
  });
}

absl::StatusOr<Results> ImportCompress(NodeCall& n) {
  Operand x = n.In(0);
  const Operand keep = n.In(1);
  if (!n.HasAttribute("axis")) x = n.Reshape(x, {n.Product(n.DimsOf(x), 0, n.DimsOf(x).size())});
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(x)));
  const auto declared = n.DeclaredDims(0);
  const Dims from = n.DimsOf(x);
  const auto a = static_cast<size_t>(axis);
  const PrimRef length = n.LengthOf(n.DimsOf(keep));
  LATHE_RETURN_IF_ERROR(n.status());
  const bool said = declared && declared->size() == from.size();
  const PrimRef room =
      said ? (*declared)[a] : CountNonzero(n, keep, {n.Simplify(n.math().Min(length, from[a]))});
  Dims dims = from;
  dims[a] = room;
  return n.Kernel("compress", {x, keep}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef zero = m.Int(0);
    ir::BufferRef which =
        te.Compute("which", {room}, DType::Int(64), [&](const Indices&) { return zero; });
    ir::BufferRef count = te.Allocate("count", {m.Int(1)}, DType::Int(64));
    te.Run("start", {m.Int(1)},
           [&](ops::Statements& s, const Indices&) { s.Store(count, {zero}, zero); });
    te.Run("search", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("i", m.Min(n.LengthOf(te.Input(1)->shape), from[a]), [&](PrimRef i) {
        const PrimRef place = s.Let("place", te.At(count, {zero}));
        const PrimRef kept = te.At(te.Input(1), {i});
        s.If(m.And(kept, m.Lt(place, room)), [&] { s.Store(which, {place}, i); });
        s.If(kept, [&] { s.Store(count, {zero}, m.Add(place, m.Int(1))); });
      });
      NeedAll(s, te.At(count, {zero}), room);
    });
    return te.Compute("out", said ? *declared : dims, te.Input(0)->dtype, [&](Indices at) {
      at[a] = te.At(which, {at[a]});
      return te.At(te.Input(0), at);
    });
  });
}

// Returns the distinct slices along an axis, or elements, sorted or in order of first occurrence.
absl::StatusOr<Results> ImportUnique(NodeCall& n) {
  Operand x = n.In(0);
  const bool sorted = n.Int("sorted", 1) != 0;
  if (!n.HasAttribute("axis")) x = n.Reshape(x, {n.Product(n.DimsOf(x), 0, n.DimsOf(x).size())});
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(x)));
  const auto declared = n.DeclaredDims(0);
  LATHE_RETURN_IF_ERROR(n.status());
  const auto a = static_cast<size_t>(axis);
  const Dims from = n.DimsOf(x);
  // Without a declared shape, allocates for all slices and truncates the result.
  const bool said = declared && declared->size() == from.size();
  const Dims dims = said ? *declared : from;
  const PrimRef room = dims[a], all = from[a];
  Dims rest = from;
  rest.erase(rest.begin() + axis);
  const DType whole = DType::Int(64);
  Operands results = n.Kernels("unique", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef zero = m.Int(0);
    const auto element = [&](PrimRef slice, Indices at) {
      if (rest.empty()) at.clear();
      at.insert(at.begin() + axis, slice);
      return te.At(te.Input(0), at);
    };
    // Compares slice i with slice j: -1, 0 or 1.
    ir::BufferRef order =
        te.Reduce("order", {all, all}, rest.empty() ? Dims{m.Int(1)} : rest,
                  {{m.Int(0)},
                   [&](const Indices& acc, const Indices& v) {
                     return std::vector<PrimRef>{m.Select(m.Eq(acc[0], m.Int(0)), v[0], acc[0])};
                   }},
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef p = element(at[0], r), q = element(at[1], r);
                    return OrderOfElements(m, p, q);
                  });
    // Finds the first equal slice, and counts the distinct slices that precede it in the result.
    ir::BufferRef first =
        te.Reduce("first", {all}, {all}, te.Min(whole), [&](const Indices& at, const Indices& r) {
          return m.Select(m.Eq(te.At(order, {at[0], r[0]}), m.Int(0)), r[0], all);
        });
    ir::BufferRef rank =
        te.Reduce("rank", {all}, {all}, te.Sum(whole), [&](const Indices& at, const Indices& r) {
          const PrimRef new_one = m.Eq(te.At(first, {r[0]}), r[0]);
          const PrimRef before = sorted ? m.Lt(te.At(order, {r[0], at[0]}), m.Int(0))
                                        : m.Lt(te.At(first, {r[0]}), te.At(first, {at[0]}));
          return m.Select(m.And(new_one, before), m.Int(1), m.Int(0));
        });
    ir::BufferRef found =
        te.Reduce("found", {m.Int(1)}, {all}, te.Sum(whole), [&](const Indices&, const Indices& r) {
          return m.Select(m.Eq(te.At(first, {r[0]}), r[0]), m.Int(1), zero);
        });
    ir::BufferRef counted = te.Allocate("counted", {m.Int(1)}, whole);
    te.Run("count", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.Store(counted, {zero}, te.At(found, {zero}));
      if (said) NeedAll(s, te.At(counted, {zero}), room);
    });
    ir::BufferRef index =
        te.Reduce("index", {room}, {all}, te.Min(whole), [&](const Indices& at, const Indices& r) {
          return m.Select(m.Eq(te.At(rank, {r[0]}), at[0]), r[0], m.Sub(all, m.Int(1)));
        });
    ir::BufferRef values = te.Compute("values", dims, te.Input(0)->dtype, [&](Indices at) {
      at[a] = te.At(index, {at[a]});
      return te.At(te.Input(0), at);
    });
    ir::BufferRef counts =
        te.Reduce("counts", {room}, {all}, te.Sum(whole), [&](const Indices& at, const Indices& r) {
          return m.Select(m.Eq(te.At(rank, {r[0]}), at[0]), m.Int(1), zero);
        });
    ir::BufferRef inverse =
        te.Compute("inverse", {all}, whole, [&](const Indices& at) { return te.At(rank, at); });
    return std::vector{values, index, inverse, counts, counted};
  });
  const Operand counted = results.back();
  results.pop_back();
  if (said) return results;
  const PrimRef found = FoundLength(n, counted);
  results[0] = FirstAlong(n, results[0], axis, found);
  for (const size_t k : {size_t{1}, size_t{3}}) results[k] = FirstAlong(n, results[k], 0, found);
  return results;
}

}  // namespace lathe::onnx
