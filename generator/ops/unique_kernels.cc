#include "generator/ops/unique_kernels.h"

#include <functional>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/te/data_nest_parts.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::DType;
using ir::PrimRef;

// Element `i` of slice `n`, counted without the axis of the slices.
PrimRef InSlice(Te& te, ir::BufferRef x, const Slices& slices, PrimRef n, PrimRef i) {
  ScalarMath& m = te.math();
  if (!slices.axis) return te.At(x, m.Unflatten(n, x->shape));
  Dims rest = x->shape;
  rest.erase(rest.begin() + *slices.axis);
  Indices at = m.Unflatten(i, rest);
  at.insert(at.begin() + *slices.axis, n);
  return te.At(x, at);
}

PrimRef SliceSize(Te& te, ir::BufferRef x, const Slices& slices) {
  PrimRef size = te.math().Int(1);
  for (size_t d = 0; slices.axis && d < x->shape.size(); ++d) {
    if (static_cast<int>(d) != *slices.axis) size = te.math().Mul(size, x->shape[d]);
  }
  return size;
}

}  // namespace

NestResult PlaceUnique(ir::Context& context, ir::StructInfoRef info, const Slices& slices,
                       bool sorted) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Of(context, {{"x", info}}));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  ir::BufferRef place = te.Allocate("place", {slices.count}, kIndex);
  ir::BufferRef first = te.Allocate("first", {slices.count}, DType::Bool());
  ir::BufferRef count = te.Allocate("count", {m.Int(1)}, kIndex);
  ir::BufferRef order = te.Allocate("order", {m.Int(1)}, DType::Int(32));
  ir::BufferRef seen = sorted ? nullptr : te.Allocate("seen", {m.Int(1)}, kIndex);
  const Indices zero = {m.Int(0)};
  const auto sign = [&](int value) { return m.Const(value, DType::Int(32)); };
  // order = -1, 0 or 1 when slice a is less than, equal to or greater than slice b. NaN is after
  // every number.
  const auto compare = [&](Statements& s, PrimRef a, PrimRef b) {
    s.Store(order, zero, sign(0));
    s.For("i", SliceSize(te, x, slices), [&](PrimRef i) {
      s.If(m.Eq(te.At(order, zero), sign(0)), [&] {
        const PrimRef p = s.Let("p", InSlice(te, x, slices, a, i));
        const PrimRef q = s.Let("q", InSlice(te, x, slices, b, i));
        PrimRef less = m.Lt(p, q), greater = m.Lt(q, p);
        if (x->dtype.is_floating()) {
          less = m.Or(less, m.And(m.Eq(p, p), m.Ne(q, q)));
          greater = m.Or(greater, m.And(m.Eq(q, q), m.Ne(p, p)));
        }
        s.If(less, [&] { s.Store(order, zero, sign(-1)); });
        s.If(greater, [&] { s.Store(order, zero, sign(1)); });
      });
    });
  };
  RunOnce(te, "place_unique", [&](Statements& s) {
    s.Store(count, zero, m.Int(0));
    s.For("n", slices.count, [&](PrimRef n) {
      s.Store(first, {n}, context.Bool(true));
      s.For("k", n, [&](PrimRef k) {
        s.If(m.And(te.At(first, {k}), te.At(first, {n})), [&] {
          compare(s, k, n);
          s.If(m.Eq(te.At(order, zero), sign(0)),
               [&] { s.Store(first, {n}, context.Bool(false)); });
        });
      });
      s.If(te.At(first, {n}), [&] { s.Store(count, zero, m.Add(te.At(count, zero), m.Int(1))); });
    });
    s.For("n", slices.count, [&](PrimRef n) {
      s.Store(place, {n}, m.Int(0));
      if (!sorted) s.Store(seen, zero, m.Int(0));
      s.For("k", slices.count, [&](PrimRef k) {
        s.If(te.At(first, {k}), [&] {
          compare(s, k, n);
          if (sorted) {
            s.If(m.Lt(te.At(order, zero), sign(0)),
                 [&] { s.Store(place, {n}, m.Add(te.At(place, {n}), m.Int(1))); });
          } else {
            s.If(m.Eq(te.At(order, zero), sign(0)),
                 [&] { s.Store(place, {n}, te.At(seen, zero)); });
            s.Store(seen, zero, m.Add(te.At(seen, zero), m.Int(1)));
          }
        });
      });
    });
  });
  return te.Finish({place, first, count});
}

NestResult FillUnique(ir::Context& context, ir::StructInfoRef info, const Slices& slices,
                      PrimRef different) {
  LATHE_ASSIGN_OR_RETURN(
      Te te, Te::Of(context, {{"x", info},
                              {"place", Vector(context, slices.count, kIndex)},
                              {"first", Vector(context, slices.count, DType::Bool())}}));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), place = te.Input(1), first = te.Input(2);
  Dims shape = {different};
  if (slices.axis) {
    shape = x->shape;
    shape[static_cast<size_t>(*slices.axis)] = different;
  }
  ir::BufferRef out = te.Allocate("out", shape, x->dtype);
  RunOnce(te, "fill_unique", [&](Statements& s) {
    s.For("n", slices.count, [&](PrimRef n) {
      s.If(te.At(first, {n}), [&] {
        s.For("i", SliceSize(te, x, slices), [&](PrimRef i) {
          Indices to = {te.At(place, {n})};
          if (slices.axis) {
            Dims rest = x->shape;
            rest.erase(rest.begin() + *slices.axis);
            const PrimRef which = to[0];
            to = m.Unflatten(i, rest);
            to.insert(to.begin() + *slices.axis, which);
          }
          s.Store(out, to, InSlice(te, x, slices, n, i));
        });
      });
    });
  });
  return te.Finish({out});
}

NestResult FirstUnique(ir::Context& context, const Slices& slices, PrimRef different) {
  LATHE_ASSIGN_OR_RETURN(
      Te te, Te::Of(context, {{"place", Vector(context, slices.count, kIndex)},
                              {"first", Vector(context, slices.count, DType::Bool())}}));
  ir::BufferRef place = te.Input(0), first = te.Input(1);
  ir::BufferRef out = te.Allocate("out", {different}, kIndex);
  RunOnce(te, "first_unique", [&](Statements& s) {
    s.For("n", slices.count, [&](PrimRef n) {
      s.If(te.At(first, {n}), [&] { s.Store(out, {te.At(place, {n})}, n); });
    });
  });
  return te.Finish({out});
}

NestResult CountUnique(ir::Context& context, const Slices& slices, PrimRef different) {
  LATHE_ASSIGN_OR_RETURN(Te te,
                         Te::Of(context, {{"place", Vector(context, slices.count, kIndex)}}));
  ScalarMath& m = te.math();
  ir::BufferRef place = te.Input(0);
  ir::BufferRef out = te.Allocate("out", {different}, kIndex);
  RunOnce(te, "count_unique", [&](Statements& s) {
    s.For("k", different, [&](PrimRef k) { s.Store(out, {k}, m.Int(0)); });
    s.For("n", slices.count, [&](PrimRef n) {
      const PrimRef k = s.Let("k", te.At(place, {n}));
      s.Store(out, {k}, m.Add(te.At(out, {k}), m.Int(1)));
    });
  });
  return te.Finish({out});
}

}  // namespace lathe::ops
