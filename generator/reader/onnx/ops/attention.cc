// Imports attention with masks, key and value caches, and grouped queries; rotary embeddings.
#include <algorithm>

#include "generator/reader/onnx/attention_heads.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct Masks {
  std::optional<Operand> mask;     // added to the scores, or bools that keep them
  std::optional<Operand> lengths;  // number of keys per batch
  bool causal = false;
  int64_t left = -1, right = -1;  // keys beside the query that it attends to; -1: all
  PrimRef past = nullptr;         // keys before the queries; null: `lengths` less the queries

  bool windowed() const { return left >= 0 || right >= 0; }
};

// Adds the mask's entry for the key at `at` to its score, or minus infinity where it is masked.
PrimRef WithMask(Te& te, const Indices& at, const Dims& d, PrimRef score) {
  ScalarMath& m = te.math();
  ir::BufferRef mask = te.Input(1);
  const DType dtype = score->dtype();
  const PrimRef never = m.Lowest(dtype);
  const size_t rank = mask->shape.size();
  Indices source(at.end() - static_cast<std::ptrdiff_t>(rank), at.end());
  for (size_t i = 0; i + 1 < rank; ++i) {
    const auto size = NodeCall::IntOf(mask->shape[i]);
    const PrimRef over = d[d.size() - rank + i];
    if (size == 1) source[i] = m.Int(0);
    if (size || mask->shape[i] == over) continue;
    source[i] = m.Min(source[i], m.Sub(mask->shape[i], m.Int(1)));
  }
  const PrimRef entry = te.At(mask, source);
  PrimRef sum = nullptr;
  if (mask->dtype.is_bool()) {
    sum = m.Select(entry, score, never);
  } else {
    // A masked key has no share, also if its score is not a number.
    const PrimRef bias = m.Cast(entry, dtype);
    sum = m.Select(m.Eq(bias, never), never, m.Add(score, bias));
  }
  // Keys after the end of a mask that is too short are masked.
  if (mask->shape.back() == d.back()) return sum;
  return m.IfThenElse(m.Lt(at[3], mask->shape.back()), sum, never);
}

// Sets the scores of masked keys to minus infinity.
Operand Masked(NodeCall& n, const Operand& scores, const Masks& masks) {
  Operands args = {scores};
  if (masks.mask) args.push_back(*masks.mask);
  if (masks.lengths) args.push_back(*masks.lengths);
  if (args.size() == 1 && !masks.causal && !masks.windowed()) return scores;
  const Dims d = n.DimsOf(scores);
  const DType dtype = n.TypeOf(scores);
  return n.Kernel("masked_scores", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (masks.mask) {
      Dims rest = n.DimsOf(*masks.mask), over(d.begin(), d.end() - 1);
      rest.pop_back();
      NeedBroadcastsTo(n, te, rest, over, "the mask");
    }
    if (masks.lengths) {
      const Dims lengths = n.DimsOf(*masks.lengths);
      NeedSameDims(n, te, lengths, {d[0]}, "the lengths of keys");
    }
    return te.Compute("out", d, dtype, [&](const Indices& at) {
      PrimRef value = te.At(te.Input(0), at);
      const PrimRef never = m.Lowest(dtype);
      if (masks.mask) value = WithMask(te, at, d, value);
      PrimRef length = nullptr, past = masks.past;
      if (masks.lengths) {
        length = m.Cast(te.At(te.Input(masks.mask ? 2 : 1), {at[0]}), DType::Int(64));
        value = m.Select(m.Lt(at[3], length), value, never);
        if (past == nullptr) past = m.Sub(length, d[2]);
      }
      const PrimRef place = m.Add(at[2], past);
      if (masks.causal) value = m.Select(m.Le(at[3], place), value, never);
      if (masks.left >= 0) {
        value = m.Select(m.Le(m.Sub(place, m.Int(masks.left)), at[3]), value, never);
      }
      if (masks.right >= 0) {
        value = m.Select(m.Le(at[3], m.Add(place, m.Int(masks.right))), value, never);
      }
      return value;
    });
  });
}

// Reads the masks of a node whose cache has `past` keys.
absl::StatusOr<Masks> MasksOf(NodeCall& n, PrimRef past) {
  Masks masks;
  masks.past = past;
  masks.causal = n.Int("is_causal", 0) != 0;
  masks.left = n.Int("left_window_size", -1);
  masks.right = n.Int("right_window_size", -1);
  constexpr int64_t kFar = int64_t{1} << 40;
  for (int64_t* side : {&masks.left, &masks.right}) {
    if (*side < -1) return n.Error() << "a window size must be -1 or not negative, got " << *side;
    *side = std::min(*side, kFar);
  }
  if (n.Has(3)) masks.mask = n.In(3);
  if (n.Has(6)) masks.lengths = n.In(6);
  if (n.Has(6) && !n.Has(4)) masks.past = nullptr;
  if (masks.lengths && n.Rank(*masks.lengths) != 1)
    return n.Error() << "'nonpad_kv_seqlen' must have rank 1";
  if (masks.mask && (n.Rank(*masks.mask) < 1 || n.Rank(*masks.mask) > 4)) {
    return n.Error() << "the mask must have rank 1 to 4, got " << n.Rank(*masks.mask);
  }
  return masks;
}

// Returns the share of each key. `masked` states that all keys of a query may be masked.
absl::StatusOr<Operand> SharesOf(NodeCall& n, const Operand& biased, bool masked) {
  DType precision = n.TypeOf(biased);
  if (n.HasAttribute("softmax_precision")) {
    const auto wanted = DTypeOf(static_cast<int32_t>(n.Int("softmax_precision", 0)));
    if (!wanted || !wanted->is_floating())
      return n.Error() << "'softmax_precision' must be a float type";
    precision = *wanted;
  }
  const Operand scores = n.Cast(biased, precision);
  if (masked || precision.bits < 32) return MaskedSoftmax(n, scores);
  return n.Op("relax.nn.softmax", {scores}, {{"axis", -1}});
}

}  // namespace

absl::StatusOr<Results> ImportAttention(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand q, WithHeads(n, n.In(0), "q_num_heads"));
  LATHE_ASSIGN_OR_RETURN(Operand k, WithHeads(n, n.In(1), "kv_num_heads"));
  LATHE_ASSIGN_OR_RETURN(Operand v, WithHeads(n, n.In(2), "kv_num_heads"));
  const bool flat = n.Rank(n.In(0)) == 3;
  const DType dtype = n.TypeOf(q);
  PrimRef past = n.ir().Int(0);
  const auto after = [&](int cache, const Operand& x) {
    return n.Op("relax.concat", {transform::BlockBuilder::Tuple({n.In(cache), x})}, {{"axis", 2}});
  };
  if (n.Has(4)) {
    LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(4), 4));
    past = n.DimsOf(n.In(4))[2];
    k = after(4, k);
  }
  if (n.Has(5)) v = after(5, v);
  const Operand present_key = k, present_value = v;
  LATHE_RETURN_IF_ERROR(n.status());
  const Dims d = n.DimsOf(q);
  LATHE_ASSIGN_OR_RETURN(const double scale, AttentionScale(n, q));
  const Operand keys = n.Transposed(ForGroups(n, k, d[1]), {0, 1, 3, 2});
  const DType wide = dtype.bits < 32 ? DType::Float(32) : dtype;
  const Operand raw = n.Cast(ScaledScores(n, q, keys, scale), dtype);
  Operand capped = raw;
  if (const double cap = n.Float("softcap", 0); cap > 0) {
    capped = n.Elementwise("softcap", {raw}, [&](ScalarMath& m, const Scalars& s) {
      const PrimRef c = m.Const(cap, dtype);
      return m.Mul(c, m.Call("tanh", {m.Div(s[0], c)}));
    });
  }
  LATHE_ASSIGN_OR_RETURN(const Masks masks, MasksOf(n, past));
  const Operand biased = Masked(n, capped, masks);
  // A causal mask alone leaves at least the first key to each query.
  const bool can_be_empty = masks.mask || masks.lengths || masks.windowed();
  LATHE_ASSIGN_OR_RETURN(const Operand precise, SharesOf(n, biased, can_be_empty));
  const Operand share = n.Cast(precise, dtype);
  const Operand values = ForGroups(n, v, d[1]);
  Operand y = n.Cast(n.Op("relax.matmul", {share, values}, {{"out_dtype", wide}}), dtype);
  if (flat) {
    y = n.Transposed(y, {0, 2, 1, 3});
    const Dims out = n.DimsOf(y);
    y = n.Reshape(y, {out[0], out[1], n.Product(out, 2, 4)});
  }
  const int64_t mode = n.Int("qk_matmul_output_mode", 0);
  const Operand& scores = mode == 0 ? raw : mode == 1 ? capped : mode == 2 ? biased : share;
  return Operands{y, present_key, present_value, scores};
}

// Rotates pairs of elements: of the first and second half of a head, or adjacent ones.
absl::StatusOr<Results> ImportRotaryEmbedding(NodeCall& n) {
  const Operand x = n.In(0), cosines = n.In(1), sines = n.In(2);
  Operand heads = x;
  if (n.Rank(x) == 3) {
    LATHE_ASSIGN_OR_RETURN(heads, WithHeads(n, x, "num_heads"));
  }
  LATHE_RETURN_IF_ERROR(n.NeedRank(heads, 4));
  const Dims d = n.DimsOf(heads);
  const auto size = NodeCall::IntOf(d[3]);
  if (!size) return n.Unsupported() << "a head size that is not constant is not supported";
  const int64_t turned =
      n.Int("rotary_embedding_dim", 0) > 0 ? n.Int("rotary_embedding_dim", 0) : *size;
  const bool interleaved = n.Int("interleaved", 0) != 0;
  Operands args = {heads, cosines, sines};
  if (n.Has(3)) args.push_back(n.In(3));
  const size_t table_rank = n.Has(3) ? 2 : 3;
  if (turned < 2 || turned > *size || turned % 2 != 0) {
    return n.Error() << "'rotary_embedding_dim' must be even and from 2 to the head size, got "
                     << turned << " for a head size of " << *size;
  }
  for (const Operand& table : {cosines, sines}) {
    if (n.DimsOf(table).size() != table_rank)
      return n.Error()
             << "the tables of cosines and sines must have rank 2 with 'position_ids', else 3";
  }
  if (n.Has(3) && n.Rank(n.In(3)) != 2) return n.Error() << "'position_ids' must have rank 2";
  Operand y = n.Kernel("rotary_embedding", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims places = {d[0], d[2]};
    for (const Operand& table : {cosines, sines}) {
      const Dims dims = n.DimsOf(table);
      NeedSame(n, te, dims.back(), m.Int(turned / 2), "the width of its tables");
      if (dims.size() == 3) NeedSameDims(n, te, {dims[0], dims[1]}, places, "its tables");
    }
    if (n.Has(3)) NeedSameDims(n, te, n.DimsOf(n.In(3)), places, "the positions");
    return te.Compute("out", d, n.TypeOf(x), [&](const Indices& at) {
      const PrimRef half = m.Int(turned / 2), i = at[3];
      const PrimRef second = interleaved ? m.Eq(m.FloorMod(i, m.Int(2)), m.Int(1)) : m.Le(half, i);
      const PrimRef pair = interleaved ? m.FloorDiv(i, m.Int(2)) : m.FloorMod(i, half);
      const PrimRef step = interleaved ? m.Int(1) : half;
      Indices other = at;
      other[3] = m.Select(second, m.Sub(i, step), m.Add(i, step));
      const auto entry = [&](int input) {
        ir::BufferRef table = te.Input(input);
        if (te.inputs() == 3) return te.At(table, {at[0], at[2], pair});
        const PrimRef position = m.Cast(te.At(te.Input(3), {at[0], at[2]}), DType::Int(64));
        return te.At(table, {position, pair});
      };
      const PrimRef turn = m.Mul(te.At(te.Input(0), other), entry(2));
      const PrimRef mine = m.Mul(te.At(te.Input(0), at), entry(1));
      const PrimRef value = m.Select(second, m.Add(mine, turn), m.Sub(mine, turn));
      return turned == *size ? value
                             : m.IfThenElse(m.Lt(i, m.Int(turned)), value, te.At(te.Input(0), at));
    });
  });
  if (n.Rank(x) == 3) y = n.Reshape(n.Transposed(y, {0, 2, 1, 3}), n.DimsOf(x));
  return y;
}

}  // namespace lathe::onnx
