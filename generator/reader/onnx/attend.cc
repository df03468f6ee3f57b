#include "generator/reader/onnx/attend.h"

#include <cmath>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/reader/onnx/attention_heads.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Masks scores with minus infinity or the attribute mask_filter_value.
Operand Masked(NodeCall& n, const Operand& scores, const Heads& h) {
  Operands args = {scores};
  const auto add = [&](const std::optional<Operand>& o) {
    if (!o) return -1;
    args.push_back(*o);
    return static_cast<int>(args.size()) - 1;
  };
  const int bias = add(h.bias), mask = add(h.mask), totals = add(h.totals);
  if (args.size() == 1 && !h.causal) return scores;
  const Dims d = n.DimsOf(scores);
  const DType dtype = n.TypeOf(scores);
  const double filler = n.Float("mask_filter_value", -10000.0);
  // Two numbers per batch are the ends of the visible keys, and then their begins.
  const PrimRef both = n.math().Mul(n.ir().Int(2), d[0]);
  const bool has_begins =
      h.mask && n.Rank(*h.mask) == 1 &&
      NodeCall::IntOf(n.Simplify(n.math().Sub(n.DimsOf(*h.mask)[0], both))) == 0;
  return n.Kernel("masked_scores", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto broadcast = [&](int input, const Indices& at) {
      Indices place(at.end() - static_cast<std::ptrdiff_t>(te.Input(input)->shape.size()),
                    at.end());
      for (size_t i = 0; i < place.size(); ++i) {
        if (NodeCall::IntOf(te.Input(input)->shape[i]) == 1) place[i] = m.Int(0);
      }
      return te.At(te.Input(input), place);
    };
    if (bias >= 0) NeedBroadcastsTo(n, te, te.Input(bias)->shape, d, "the bias of the scores");
    if (mask >= 0) {
      const size_t rank = te.Input(mask)->shape.size();
      const Dims wanted = rank == 1   ? Dims{has_begins ? both : d[0]}
                          : rank == 2 ? Dims{d[0], d[3]}
                                      : d;
      if (rank <= 2) NeedSameDims(n, te, te.Input(mask)->shape, wanted, "the mask");
      if (rank == 3) NeedBroadcastsTo(n, te, te.Input(mask)->shape, {d[0], d[2], d[3]}, "the mask");
      if (rank == 4) NeedBroadcastsTo(n, te, te.Input(mask)->shape, d, "the mask");
    }
    return te.Compute("out", d, dtype, [&](const Indices& at) {
      PrimRef value = te.At(te.Input(0), at);
      if (bias >= 0) value = m.Add(value, m.Cast(broadcast(bias, at), dtype));
      if (mask >= 0) {
        const size_t rank = te.Input(mask)->shape.size();
        PrimRef seen = nullptr;
        if (rank == 1) {
          const auto limit = [&](PrimRef i) {
            return m.Cast(te.At(te.Input(mask), {i}), DType::Int(64));
          };
          seen = m.Lt(at[3], limit(at[0]));
          if (has_begins) seen = m.And(seen, m.Le(limit(m.Add(at[0], d[0])), at[3]));
        } else {
          const Indices place = rank == 2   ? Indices{at[0], at[3]}
                                : rank == 3 ? Indices{at[0], at[2], at[3]}
                                            : Indices{at[0], at[1], at[2], at[3]};
          const PrimRef entry = rank == 2 ? te.At(te.Input(mask), place) : broadcast(mask, place);
          seen = m.Ne(entry, m.Const(0, entry->dtype()));
        }
        value = m.Select(seen, value, m.Add(value, m.Const(filler, dtype)));
      }
      if (totals >= 0) {
        // Aligns the last query with the last valid key. Queries of padding see all keys.
        const PrimRef total =
            m.Add(m.Cast(te.At(te.Input(totals), {at[0]}), DType::Int(64)), m.Int(1));
        const PrimRef aligned = m.Add(at[2], m.Max(m.Sub(total, d[2]), m.Int(0)));
        const PrimRef place = m.Min(aligned, m.Sub(total, m.Int(1)));
        PrimRef seen = m.Le(at[3], place);
        if (h.window >= 0) seen = m.And(seen, m.Lt(m.Sub(place, m.Int(h.window)), at[3]));
        value = m.Select(seen, value, m.Lowest(dtype));
      } else if (h.causal) {
        PrimRef seen = m.Le(at[3], m.Add(at[2], h.past));
        // With more keys than queries, the last query sees all of them.
        if (analysis::ProveEqual(n.ir(), d[3], m.Add(d[2], h.past)) != ir::Tri::kYes) {
          seen = m.Or(seen, m.Eq(at[2], m.Sub(d[2], m.Int(1))));
        }
        value = m.Select(seen, value, m.Lowest(dtype));
      }
      return value;
    });
  });
}

// Returns the softmax of the scores and, in the denominator, of the sink of each head.
Operand SoftmaxWithSink(NodeCall& n, const Operand& scores, const Operand& sink) {
  const Dims d = n.DimsOf(scores);
  Dims with = d;
  with[3] = n.Simplify(n.math().Add(d[3], n.ir().Int(1)));
  const DType dtype = n.TypeOf(scores);
  const Operand all = n.Kernel("with_sink", {scores, sink}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSameDims(n, te, te.Input(1)->shape, {d[1]}, "a sink for each head");
    return te.Compute("out", with, dtype, [&](const Indices& at) {
      const PrimRef own = m.Cast(te.At(te.Input(1), {at[1]}), dtype);
      return m.IfThenElse(m.Lt(at[3], d[3]), te.At(te.Input(0), at), own);
    });
  });
  const Operand shares = n.Op("relax.nn.softmax", {all}, {{"axis", -1}});
  return n.Kernel("without_sink", {shares}, [&](Te& te) {
    return te.Compute("out", d, dtype, [&](const Indices& at) { return te.At(te.Input(0), at); });
  });
}

}  // namespace

absl::StatusOr<Operand> SplitHeads(NodeCall& n, const Operand& x, int64_t heads) {
  const Dims d = n.DimsOf(x);
  if (d.size() == 4) return x;
  if (d.size() != 3 || heads < 1)
    return n.Error() << "queries, keys and values must have rank 3 or 4";
  const PrimRef size = n.Simplify(n.math().FloorDiv(d[2], n.ir().Int(heads)));
  return n.Transposed(n.Reshape(x, {d[0], d[1], n.ir().Int(heads), size}), {0, 2, 1, 3});
}

Operand JoinHeads(NodeCall& n, const Operand& x) {
  const Operand y = n.Transposed(x, {0, 2, 1, 3});
  const Dims d = n.DimsOf(y);
  return n.Reshape(y, {d[0], d[1], n.Product(d, 2, 4)});
}

absl::StatusOr<Operand> Attend(NodeCall& n, const Heads& h) {
  const Dims d = n.DimsOf(h.q);
  if (h.mask && (n.Rank(*h.mask) < 1 || n.Rank(*h.mask) > 4)) {
    return n.Error() << "the mask must have rank 1 to 4, got " << n.Rank(*h.mask);
  }
  if (h.bias && n.Rank(*h.bias) > 4) {
    return n.Error() << "the attention bias must have at most rank 4, got " << n.Rank(*h.bias);
  }
  const auto size = NodeCall::IntOf(d[3]);
  double scale = h.scale;
  if (scale == 0 && !size)
    return n.Unsupported() << "a head size that is not constant is not supported";
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(*size));
  const DType dtype = n.TypeOf(h.q);
  const DType wide = dtype.bits < 32 ? DType::Float(32) : dtype;
  const Operand keys = n.Transposed(ForGroups(n, h.k, d[1]), {0, 1, 3, 2});
  Operand scores = n.Op("relax.matmul", {h.q, keys}, {{"out_dtype", wide}});
  scores = n.Op("relax.multiply", {scores, n.Number(scale, wide)});
  if (h.softcap > 0) {
    scores = n.Elementwise("softcap", {scores}, [&](ScalarMath& m, const Scalars& s) {
      const PrimRef c = m.Const(h.softcap, wide);
      return m.Mul(c, m.Call("tanh", {m.Div(s[0], c)}));
    });
  }
  const Operand masked = Masked(n, scores, h);
  const Operand share = h.sink ? SoftmaxWithSink(n, masked, *h.sink)
                               : n.Op("relax.nn.softmax", {masked}, {{"axis", -1}});
  const Operand values = ForGroups(n, h.v, d[1]);
  const Operand y = n.Op("relax.matmul", {n.Cast(share, dtype), values}, {{"out_dtype", wide}});
  return JoinHeads(n, n.Cast(y, dtype));
}

Operand ColumnsOf(NodeCall& n, const Operand& x, int64_t begin, int64_t count) {
  Dims d = n.DimsOf(x);
  d.back() = n.ir().Int(count);
  return n.Kernel("columns", {x}, [&](Te& te) {
    te.Need(te.math().Le(te.math().Int(begin + count), n.DimsOf(x).back()),
            "attention needs queries, keys and values as wide as their sizes say");
    return te.Compute("out", d, n.TypeOf(x), [&](Indices at) {
      at.back() = te.math().Add(at.back(), te.math().Int(begin));
      return te.At(te.Input(0), at);
    });
  });
}

}  // namespace lathe::onnx
