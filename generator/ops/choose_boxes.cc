#include "generator/ops/choose_boxes.h"

#include "generator/ops/args/ir_names.h"

namespace lathe::ops {

namespace {

Indices In(Indices row, PrimRef place) {
  row.push_back(place);
  return row;
}

// Finds the position of the best candidate from `first` on, the first of equals; -1: none.
void FindBest(Te& te, const BoxChoice& choice, Statements& s, const Indices& row, PrimRef first,
              BufferRef best) {
  ScalarMath& m = te.math();
  s.Store(best, row, m.Int(-1));
  s.For("p", m.Sub(choice.all.back(), first), [&](PrimRef p) {
    const PrimRef place = m.Add(first, p), so_far = te.At(best, row);
    const PrimRef to_beat = m.IfThenElse(m.Lt(so_far, m.Int(0)), choice.score_threshold,
                                         te.At(choice.scores, In(row, so_far)));
    const PrimRef better = m.Lt(to_beat, te.At(choice.scores, In(row, place)));
    s.If(m.And(te.At(choice.open, In(row, place)), better), [&] { s.Store(best, row, place); });
  });
}

// Suppresses candidates from `first` on that overlap `chosen`, or reduces their scores.
void Suppress(Te& te, const BoxChoice& choice, Statements& s, const Indices& row, PrimRef first,
              PrimRef chosen) {
  ScalarMath& m = te.math();
  s.For("p", m.Sub(choice.all.back(), first), [&](PrimRef p) {
    const Indices at = In(row, m.Add(first, p));
    const PrimRef other = te.At(choice.items, at);
    PrimRef concerned = te.At(choice.open, at);
    if (choice.rivals) concerned = m.And(concerned, choice.rivals(row, chosen, other));
    s.If(concerned, [&] {
      const PrimRef number = s.Let("other", other);
      const PrimRef overlap = s.Let("overlap", choice.overlap(s, row, chosen, number));
      const auto close = [&] { s.Store(choice.open, at, te.ir().Bool(false)); };
      s.If(m.Le(choice.overlap_threshold, overlap), close);
      if (!choice.decay) return;
      s.If(m.Lt(overlap, choice.overlap_threshold), [&] {
        const PrimRef factor = m.Const(*choice.decay, overlap->dtype());
        const PrimRef rest = m.Call("exp", {m.Mul(m.Mul(factor, overlap), overlap)});
        s.Store(choice.scores, at, m.Mul(te.At(choice.scores, at), rest));
      });
    });
  });
}

}  // namespace

BufferRef ChooseBoxes(Te& te, const BoxChoice& choice) {
  ScalarMath& m = te.math();
  const DType i64 = DType::Int(64);
  BufferRef count = te.Compute("count", choice.rows, i64, [&](const Indices&) { return m.Int(0); });
  BufferRef best = te.Allocate("best", choice.rows, i64);
  te.Run("choose", choice.rows, [&](Statements& s, const Indices& row) {
    s.For("round", choice.all.back(), [&](PrimRef round) {
      // After an iteration without a choice, no later one has any.
      PrimRef continues = m.Eq(te.At(count, row), round);
      if (choice.limit != nullptr) continues = m.And(continues, m.Lt(round, choice.limit));
      s.If(continues, [&] {
        FindBest(te, choice, s, row, round, best);
        s.If(m.Le(m.Int(0), te.At(best, row)), [&] {
          const Indices from = In(row, te.At(best, row)), to = In(row, round);
          const PrimRef chosen = s.Let("chosen", te.At(choice.items, from));
          const PrimRef score = s.Let("score", te.At(choice.scores, from));
          for (BufferRef buffer : {choice.items, choice.scores, choice.open}) {
            s.Store(buffer, from, te.At(buffer, to));
          }
          s.Store(choice.items, to, chosen);
          s.Store(choice.scores, to, score);
          const PrimRef next = m.Add(round, m.Int(1));
          s.Store(count, row, next);
          Suppress(te, choice, s, row, next, chosen);
        });
      });
    });
  });
  return count;
}

BufferRef SortByRank(Te& te, BufferRef ranks) {
  BufferRef items = te.Allocate("items", ranks->shape, DType::Int(64));
  te.Assign("place", items, ranks->shape, [&](const Indices& at) {
    Indices to = at;
    to.back() = te.At(ranks, at);
    return Te::Store{to, at.back()};
  });
  return items;
}

PrimRef Overlap(Statements& s, ScalarMath& m, const std::function<PrimRef(int)>& a,
                const std::function<PrimRef(int)>& b) {
  const PrimRef zero = m.Const(0, a(0)->dtype());
  PrimRef areas[] = {nullptr, nullptr}, common = nullptr;
  for (int axis : {0, 1}) {
    const PrimRef a_low = s.Let("a_low", m.Min(a(axis), a(axis + 2)));
    const PrimRef a_high = s.Let("a_high", m.Max(a(axis), a(axis + 2)));
    const PrimRef b_low = s.Let("b_low", m.Min(b(axis), b(axis + 2)));
    const PrimRef b_high = s.Let("b_high", m.Max(b(axis), b(axis + 2)));
    const PrimRef both = m.Max(zero, m.Sub(m.Min(a_high, b_high), m.Max(a_low, b_low)));
    const auto times = [&](PrimRef so_far, PrimRef length) {
      return so_far == nullptr ? length : m.Mul(so_far, length);
    };
    areas[0] = times(areas[0], m.Sub(a_high, a_low));
    areas[1] = times(areas[1], m.Sub(b_high, b_low));
    common = times(common, both);
  }
  const PrimRef shared = s.Let("shared", common);
  const PrimRef either = s.Let("either", m.Sub(m.Add(areas[0], areas[1]), shared));
  return m.Select(m.Le(either, zero), zero, m.Div(shared, either));
}

}  // namespace lathe::ops
