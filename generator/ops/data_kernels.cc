#include "generator/ops/data_kernels.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/te/data_nest_parts.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::DType;
using ir::PrimRef;

// Nested loops over `extents`.
void ForAll(Statements& s, const Dims& extents, Indices& at,
            const std::function<void(const Indices&)>& body) {
  if (at.size() == extents.size()) return body(at);
  s.For("i", extents[at.size()], [&](PrimRef i) {
    at.push_back(i);
    ForAll(s, extents, at, body);
    at.pop_back();
  });
}

}  // namespace

NestResult CountNonzero(ir::Context& context, ir::StructInfoRef info) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Of(context, {{"x", info}}));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  ir::BufferRef count = te.Allocate("count", {m.Int(1)}, kIndex);
  RunOnce(te, "count_nonzero", [&](Statements& s) {
    s.Store(count, {m.Int(0)}, m.Int(0));
    Indices at;
    ForAll(s, x->shape, at, [&](const Indices& i) {
      s.If(m.Ne(te.At(x, i), m.Const(0, x->dtype)),
           [&] { s.Store(count, {m.Int(0)}, m.Add(te.At(count, {m.Int(0)}), m.Int(1))); });
    });
  });
  return te.Finish({count});
}

NestResult FillNonzero(ir::Context& context, ir::StructInfoRef info, PrimRef count) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Of(context, {{"x", info}}));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int64_t rows = std::max<int64_t>(std::ssize(x->shape), 1);
  ir::BufferRef out = te.Allocate("out", {m.Int(rows), count}, kIndex);
  ir::BufferRef column = te.Allocate("column", {m.Int(1)}, kIndex);
  RunOnce(te, "fill_nonzero", [&](Statements& s) {
    s.Store(column, {m.Int(0)}, m.Int(0));
    Indices at;
    ForAll(s, x->shape, at, [&](const Indices& i) {
      s.If(m.Ne(te.At(x, i), m.Const(0, x->dtype)), [&] {
        const PrimRef to = s.Let("to", te.At(column, {m.Int(0)}));
        for (size_t d = 0; d < i.size(); ++d) {
          s.Store(out, {m.Int(static_cast<int64_t>(d)), to}, i[d]);
        }
        if (i.empty()) s.Store(out, {m.Int(0), to}, m.Int(0));
        s.Store(column, {m.Int(0)}, m.Add(to, m.Int(1)));
      });
    });
  });
  return te.Finish({out});
}

NestResult SliceRanges(ir::Context& context, const std::vector<ir::StructInfoRef>& lists,
                       const std::vector<PrimRef>& sizes) {
  LATHE_ASSIGN_OR_RETURN(
      Te te, Te::Of(context, {{"begin", lists[0]}, {"end", lists[1]}, {"strides", lists[2]}}));
  ScalarMath& m = te.math();
  const Dims rank = {m.Int(std::ssize(sizes))};
  ir::BufferRef begins = te.Allocate("begins", rank, kIndex);
  ir::BufferRef counts = te.Allocate("counts", rank, kIndex);
  const PrimRef zero = m.Int(0), one = m.Int(1);
  RunOnce(te, "slice_ranges", [&](Statements& s) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      const Indices at = {m.Int(static_cast<int64_t>(d))};
      const auto read = [&](int list, const char* name) {
        return s.Let(name, m.Cast(te.At(te.Input(list), at), kIndex));
      };
      const PrimRef stride = read(2, "stride"), back = m.Lt(stride, zero);
      const PrimRef low = s.Let("low", m.Select(back, m.Int(-1), zero));
      const PrimRef high = s.Let("high", m.Select(back, m.Sub(sizes[d], one), sizes[d]));
      // As in Python: negative values count from the end, then all are clamped.
      const auto inside = [&](PrimRef i) {
        const PrimRef from_front = m.Select(m.Lt(i, zero), m.Add(i, sizes[d]), i);
        return m.Max(low, m.Min(high, from_front));
      };
      const PrimRef from = s.Let("from", inside(read(0, "first")));
      const PrimRef to = s.Let("to", inside(read(1, "last")));
      const PrimRef way = s.Let("way", m.Select(back, m.Sub(from, to), m.Sub(to, from)));
      // The most negative number has no negation.
      const PrimRef most = m.Int(std::numeric_limits<int64_t>::max());
      const PrimRef step =
          s.Let("step", m.Select(m.Eq(stride, zero), one,
                                 m.Select(back, m.Neg(m.Max(stride, m.Sub(zero, most))), stride)));
      const PrimRef count =
          m.Select(m.Lt(zero, way), m.Add(m.FloorDiv(m.Sub(way, one), step), one), zero);
      s.Store(begins, at, from);
      s.Store(counts, at, m.Select(m.Eq(stride, zero), m.Int(-1), count));
    }
  });
  return te.Finish({begins, counts});
}

NestResult FillSlice(ir::Context& context, ir::StructInfoRef x_info, ir::StructInfoRef strides_info,
                     const std::vector<PrimRef>& counts) {
  const auto length = static_cast<int64_t>(counts.size());
  LATHE_ASSIGN_OR_RETURN(Te te,
                         Te::Of(context, {{"x", x_info},
                                          {"begins", Vector(context, context.Int(length), kIndex)},
                                          {"strides", strides_info}}));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), begins = te.Input(1), strides = te.Input(2);
  return te.Finish({te.Compute("out", counts, x->dtype, [&](const Indices& at) {
    Indices from;
    for (size_t d = 0; d < at.size(); ++d) {
      const Indices i = {m.Int(static_cast<int64_t>(d))};
      const PrimRef stride = m.Cast(te.At(strides, i), kIndex);
      // The stride of a slice of one element is not used.
      const PrimRef way = m.IfThenElse(m.Eq(at[d], m.Int(0)), m.Int(0), m.Mul(at[d], stride));
      from.push_back(m.Add(te.At(begins, i), way));
    }
    return te.At(x, from);
  })});
}

}  // namespace lathe::ops
