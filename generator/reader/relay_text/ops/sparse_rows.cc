// Imports sparse_fill_empty_rows.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/make_tensor.h"
#include "generator/reader/relay_text/ops/run_time_list.h"
#include "generator/support/status.h"

namespace lathe::relay {

// (indices, values, which rows were empty): an empty row gets the default value in its first
// column. The rows of the indices ascend.
absl::StatusOr<Operand> ImportSparseFillEmptyRows(OpCall& c) {
  const Operand indices = c.Arg(0), values = c.Arg(1), rest = c.Reshape(c.Arg(3), {});
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {values, c.Arg(3)}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, indices, 2, "the indices"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, values, 1, "the values"));
  LATHE_ASSIGN_OR_RETURN(const Dims shape, ShapeArgument(c, 2));
  const Dims by = c.DimsOf(indices);
  LATHE_RETURN_IF_ERROR(RequireSize(c, by[1], c.ir().Int(std::ssize(shape)), "an index tuple"));
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(values)[0], by[0], "the values"));
  if (shape.empty()) return c.Error() << "a shape without rows";
  const DType wide = DType::Int(64), index = c.TypeOf(indices), dtype = c.TypeOf(values);
  const Dims rows = {shape[0]}, count = {by[0]};
  const auto row_of = [](Te& te, PrimRef element) {
    return te.math().Cast(te.At(te.Input(0), {element, te.math().Int(0)}), DType::Int(64));
  };
  const Operand empty = c.Kernel("empty_rows", {indices}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", rows, count, te.Min(wide), [&](const Indices& at, const Indices& r) {
      return m.Cast(m.Ne(row_of(te, r[0]), at[0]), wide);
    });
  });
  // Without elements the minimum is that of nothing.
  const Operand marks = c.Elementwise("marks", {empty}, [](ScalarMath& m, const Scalars& v) {
    return m.Min(v[0], m.Const(1, v[0]->dtype()));
  });
  const Operand more = c.Op("relax.sum", {marks}, {{"keepdims", true}});
  const Operand size = c.Elementwise(
      "size", {more}, [&](ScalarMath& m, const Scalars& v) { return m.Add(v[0], by[0]); });
  const PrimRef total = ShapeOfList(c, size, 1)[0];
  Operands results = c.Kernels("fill_empty_rows", {indices, values, rest, marks}, [&](Te& te) {
    ScalarMath& m = te.math();
    // Elements and empty rows before each row.
    ir::BufferRef elements =
        te.Reduce("elements", rows, count, te.Sum(wide), [&](const Indices& at, const Indices& r) {
          return m.Cast(m.Lt(row_of(te, r[0]), at[0]), wide);
        });
    ir::BufferRef empties =
        te.Reduce("empties", rows, rows, te.Sum(wide), [&](const Indices& at, const Indices& r) {
          return m.Select(m.Lt(r[0], at[0]), te.At(te.Input(3), r), m.Const(0, wide));
        });
    ir::BufferRef places = te.Compute("places", {total, by[1]}, index,
                                      [&](const Indices&) { return m.Const(0, index); });
    ir::BufferRef filled = te.Compute("filled", {total}, dtype,
                                      [&](const Indices&) { return te.At(te.Input(2), {}); });
    te.Run("move", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("element", by[0], [&](PrimRef element) {
        const PrimRef row = s.Let("row", row_of(te, element));
        const PrimRef to = s.Let("to", m.Add(element, te.At(empties, {row})));
        s.For("axis", by[1], [&](PrimRef axis) {
          s.Store(places, {to, axis}, te.At(te.Input(0), {element, axis}));
        });
        s.Store(filled, {to}, te.At(te.Input(1), {element}));
      });
      s.For("row", rows[0], [&](PrimRef row) {
        s.If(m.Ne(te.At(te.Input(3), {row}), m.Const(0, wide)), [&] {
          const PrimRef to = s.Let("to", m.Add(te.At(elements, {row}), te.At(empties, {row})));
          s.Store(places, {to, m.Int(0)}, m.Cast(row, index));
        });
      });
    });
    return std::vector<ir::BufferRef>{places, filled};
  });
  results.push_back(marks);
  return TupleOf(std::move(results));
}

}  // namespace lathe::relay
