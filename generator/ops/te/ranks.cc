#include "generator/ops/te/ranks.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

namespace {

// The condition that a is before b in the order.
PrimRef Before(ScalarMath& m, PrimRef a, PrimRef b, bool descending) {
  const PrimRef less = descending ? m.Lt(b, a) : m.Lt(a, b);
  if (!a->dtype().is_floating()) return less;
  const PrimRef a_nan = m.Ne(a, a), b_nan = m.Ne(b, b);
  const PrimRef nan_decides = descending ? m.And(a_nan, m.Not(b_nan)) : m.And(b_nan, m.Not(a_nan));
  return m.Or(less, nan_decides);
}

}  // namespace

ir::BufferRef Ranks(Te& te, ir::BufferRef x, int axis, bool descending) {
  ScalarMath& m = te.math();
  return te.Reduce("rank", x->shape, {x->shape[axis]}, te.Sum(DType::Int(64)),
                   [&](const Indices& at, const Indices& r) {
                     Indices other = at;
                     other[axis] = r[0];
                     const PrimRef mine = te.At(x, at), its = te.At(x, other);
                     const PrimRef equal =
                         m.And(m.Not(Before(m, mine, its, descending)), m.Lt(r[0], at[axis]));
                     const PrimRef before = m.Or(Before(m, its, mine, descending), equal);
                     return m.Cast(before, DType::Int(64));
                   });
}

}  // namespace lathe::ops
