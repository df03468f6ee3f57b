// Imports NonMaxSuppression and crops of boxes.
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_length.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {

// Selects boxes greedily per batch and class: the box with the best score stays, and boxes that
// overlap it too much are removed. The number of rows is declared or known at run time.
absl::StatusOr<Results> ImportNonMaxSuppression(NodeCall& n) {
  const Operand boxes = n.In(0), scores = n.In(1);
  const Dims b = n.DimsOf(boxes), c = n.DimsOf(scores);
  const auto declared = n.DeclaredDims(0);
  if (b.size() != 3 || c.size() != 3) return n.Error() << "boxes and scores must have rank 3";
  LATHE_RETURN_IF_ERROR(n.status());
  // Without a declared number, allocates for all boxes and truncates the result.
  const bool said = declared && declared->size() == 2;
  const PrimRef rows = said ? (*declared)[0] : n.Product({b[0], c[1], b[1]}, 0, 3);
  const bool centered = n.Int("center_point_box", 0) != 0;
  Operands args = {boxes, scores};
  int which[3] = {-1, -1, -1};
  for (int i = 0; i < 3; ++i) {
    if (!n.Has(i + 2)) continue;
    which[i] = static_cast<int>(args.size());
    args.push_back(n.In(i + 2));
  }
  const std::string too_many = absl::StrCat(
      "NonMaxSuppression needs as many boxes to stay as the model declares, ", ir::ToString(rows));
  const Operands results = n.Kernels("non_max_suppression", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, c[0], b[0], "the batch of the scores");
    NeedSame(n, te, c[2], b[1], "the scores for each box");
    NeedSame(n, te, b[2], m.Int(4), "the sides of a box");
    const DType whole = DType::Int(64), real = DType::Float(32);
    const auto number = [&](int i, PrimRef otherwise) {
      if (which[i] < 0) return otherwise;
      ir::BufferRef buffer = te.Input(which[i]);
      return m.Cast(te.At(buffer, Indices(buffer->shape.size(), m.Int(0))), otherwise->dtype());
    };
    ir::BufferRef out =
        te.Compute("out", {rows, m.Int(3)}, whole, [&](const Indices&) { return m.Int(-1); });
    ir::BufferRef gone = te.Allocate("gone", {b[1]}, DType::Bool());
    ir::BufferRef best = te.Allocate("best", {m.Int(1)}, whole);
    ir::BufferRef count = te.Allocate("count", {m.Int(1)}, whole);
    ir::BufferRef kept = te.Allocate("kept", {m.Int(1)}, whole);
    const Indices zero = {m.Int(0)};
    te.Run("start", {m.Int(1)},
           [&](ops::Statements& s, const Indices&) { s.Store(count, zero, m.Int(0)); });
    te.Run("suppress", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("batch", b[0], [&](PrimRef batch) {
        s.For("kind", c[1], [&](PrimRef kind) {
          const auto score = [&](PrimRef i) { return te.At(te.Input(1), {batch, kind, i}); };
          s.Store(kept, zero, m.Int(0));
          s.For("i", b[1], [&](PrimRef i) {
            // A score that is NaN is not above the threshold.
            const PrimRef low = which[2] < 0 ? m.ir().Bool(false)
                                             : m.Not(m.Lt(number(2, m.Const(0, real)), score(i)));
            s.Store(gone, {i}, low);
          });
          s.For("turn", b[1], [&](PrimRef) {
            s.Store(best, zero, m.Int(-1));
            s.For("i", b[1], [&](PrimRef i) {
              const PrimRef so_far = s.Let("so_far", te.At(best, zero));
              const PrimRef other = m.Max(so_far, m.Int(0));
              const PrimRef better = m.Or(m.Lt(so_far, m.Int(0)), m.Lt(score(other), score(i)));
              s.If(m.And(m.Not(te.At(gone, {i})), better), [&] { s.Store(best, zero, i); });
            });
            const PrimRef k = s.Let("k", te.At(best, zero));
            const PrimRef row = s.Let("row", te.At(count, zero));
            const PrimRef more = m.Lt(te.At(kept, zero), number(0, m.Int(0)));
            s.If(m.And(m.Le(m.Int(0), k), more), [&] {
              s.Need(m.Lt(row, rows), too_many);
              s.Store(out, {row, m.Int(0)}, batch);
              s.Store(out, {row, m.Int(1)}, kind);
              s.Store(out, {row, m.Int(2)}, k);
              s.Store(count, zero, m.Add(row, m.Int(1)));
              s.Store(kept, zero, m.Add(te.At(kept, zero), m.Int(1)));
              // minimum and maximum of each side
              const auto side = [&](PrimRef i, int axis, bool high) {
                const auto at = [&](int64_t e) { return te.At(te.Input(0), {batch, i, m.Int(e)}); };
                if (!centered) {
                  return high ? m.Max(at(axis), at(axis + 2)) : m.Min(at(axis), at(axis + 2));
                }
                const PrimRef half = m.Div(at(axis + 2), m.Const(2, real));
                return high ? m.Add(at(axis), half) : m.Sub(at(axis), half);
              };
              const auto area = [&](PrimRef i) {
                return m.Mul(m.Sub(side(i, 0, true), side(i, 0, false)),
                             m.Sub(side(i, 1, true), side(i, 1, false)));
              };
              s.For("i", b[1], [&](PrimRef i) {
                const auto overlap = [&](int axis) {
                  const PrimRef high = m.Min(side(i, axis, true), side(k, axis, true));
                  const PrimRef low = m.Max(side(i, axis, false), side(k, axis, false));
                  return m.Max(m.Sub(high, low), m.Const(0, real));
                };
                const PrimRef shared = s.Let("shared", m.Mul(overlap(0), overlap(1)));
                const PrimRef either = s.Let("either", m.Sub(m.Add(area(i), area(k)), shared));
                const PrimRef share = m.Div(shared, either);
                const PrimRef much =
                    m.And(m.Lt(m.Const(0, real), shared), m.Lt(number(1, m.Const(0, real)), share));
                s.If(m.Or(m.Eq(i, k), much), [&] { s.Store(gone, {i}, m.ir().Bool(true)); });
              });
            });
          });
        });
      });
      if (said) s.Need(m.Eq(te.At(count, zero), rows), too_many);
    });
    return std::vector{out, count};
  });
  if (said) return results[0];
  return FirstAlong(n, results[0], 0, FoundLength(n, results[1]));
}

}  // namespace lathe::onnx
