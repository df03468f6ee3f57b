// Imports com.microsoft's attention operators: packed and separate projections, caches and masks.
#include <cmath>

#include "generator/reader/onnx/attention_heads.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/rotate_heads.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Queries, keys and values as (batch, heads, length, size), and the visibility of keys.
struct Heads {
  Operand q, k, v;
  double scale = 0;  // 0: 1 / sqrt(size)
  double softcap = 0;
  bool causal = false;
  PrimRef past = nullptr;       // number of cached keys before the first query, for causal masks
  std::optional<Operand> bias;  // added to the scores
  std::optional<Operand> mask;  // int32: number of keys (batch), or 1 for each visible key
  std::optional<Operand>
      totals;           // number of keys per batch; the last query is aligned with the last key
  int64_t window = -1;  // number of preceding keys that a query sees; -1: all
};

absl::StatusOr<Operand> Split(NodeCall& n, const Operand& x, int64_t heads) {
  const Dims d = n.DimsOf(x);
  if (d.size() == 4) return x;
  if (d.size() != 3 || heads < 1)
    return n.Error() << "queries, keys and values must have rank 3 or 4";
  const PrimRef size = n.Simplify(n.math().FloorDiv(d[2], n.ir().Int(heads)));
  return n.Transposed(n.Reshape(x, {d[0], d[1], n.ir().Int(heads), size}), {0, 2, 1, 3});
}

Operand Joined(NodeCall& n, const Operand& x) {
  const Operand y = n.Transposed(x, {0, 2, 1, 3});
  const Dims d = n.DimsOf(y);
  return n.Reshape(y, {d[0], d[1], n.Product(d, 2, 4)});
}

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
      const Dims wanted = rank == 1 ? Dims{d[0]} : rank == 2 ? Dims{d[0], d[3]} : d;
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
          seen = m.Lt(at[3], m.Cast(te.At(te.Input(mask), {at[0]}), DType::Int(64)));
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
        // Aligns the last query with the last valid key.
        const PrimRef total =
            m.Add(m.Cast(te.At(te.Input(totals), {at[0]}), DType::Int(64)), m.Int(1));
        const PrimRef place = m.Add(at[2], m.Sub(total, d[2]));
        PrimRef seen = m.Le(at[3], place);
        if (h.window >= 0) seen = m.And(seen, m.Lt(m.Sub(place, m.Int(h.window)), at[3]));
        value = m.Select(seen, value, m.Lowest(dtype));
      } else if (h.causal) {
        value = m.Select(m.Le(at[3], m.Add(at[2], h.past)), value, m.Lowest(dtype));
      }
      return value;
    });
  });
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
  if (h.softcap != 0) {
    scores = n.Elementwise("softcap", {scores}, [&](ScalarMath& m, const Scalars& s) {
      const PrimRef c = m.Const(h.softcap, wide);
      return m.Mul(c, m.Call("tanh", {m.Div(s[0], c)}));
    });
  }
  const Operand share = n.Op("relax.nn.softmax", {Masked(n, scores, h)}, {{"axis", -1}});
  const Operand values = ForGroups(n, h.v, d[1]);
  const Operand y = n.Op("relax.matmul", {n.Cast(share, dtype), values}, {{"out_dtype", wide}});
  return Joined(n, n.Cast(y, dtype));
}

Operand After(NodeCall& n, const Operand& past, const Operand& x) {
  return n.Op("relax.concat", {transform::BlockBuilder::Tuple({past, x})}, {{"axis", 2}});
}

// Returns columns [begin, begin + count) of the last axis.
Operand Columns(NodeCall& n, const Operand& x, int64_t begin, int64_t count) {
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

}  // namespace

// Imports Attention: input, weights (of queries, keys and values), bias, mask_index, past,
// attention_bias.
absl::StatusOr<Results> ImportMicrosoftAttention(NodeCall& n) {
  const int64_t heads = n.Int("num_heads", 0);
  if (n.Int("do_rotary", 0) != 0) return n.Unsupported() << "'do_rotary' is not supported";
  if (n.Has(6))
    return n.Unsupported() << "a shared cache ('past_sequence_length') is not supported";
  Operand packed = n.Op("relax.matmul", {n.In(0), n.In(1)});
  if (n.Has(2)) packed = n.Op("relax.add", {packed, n.In(2)});
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_RETURN_IF_ERROR(n.NeedRank(packed, 3));
  const auto width = NodeCall::IntOf(n.DimsOf(packed).back());
  if (!width || heads < 1)
    return n.Unsupported() << "weights whose size is not constant are not supported";
  std::vector<int64_t> sizes = n.Ints("qkv_hidden_sizes");
  if (sizes.size() != 3) sizes = {*width / 3, *width / 3, *width / 3};
  for (const int64_t size : sizes) {
    if (size < 1 || size > *width)
      return n.Error() << "'qkv_hidden_sizes' is out of range: " << size;
  }
  Heads h;
  LATHE_ASSIGN_OR_RETURN(h.q, Split(n, Columns(n, packed, 0, sizes[0]), heads));
  LATHE_ASSIGN_OR_RETURN(h.k, Split(n, Columns(n, packed, sizes[0], sizes[1]), heads));
  LATHE_ASSIGN_OR_RETURN(h.v, Split(n, Columns(n, packed, sizes[0] + sizes[1], sizes[2]), heads));
  h.scale = n.Float("scale", 0);
  h.causal = n.Int("unidirectional", 0) != 0;
  h.past = n.ir().Int(0);
  if (n.Has(3)) h.mask = n.In(3);
  if (n.Has(4)) {
    const Operand past = n.In(4);
    LATHE_RETURN_IF_ERROR(n.NeedRank(past, 5));
    h.past = n.DimsOf(past)[3];
    const auto half = [&](int64_t which) {
      Dims d = n.DimsOf(past);
      d.erase(d.begin());
      return n.Kernel("half_of_cache", {past}, [&](Te& te) {
        NeedSame(n, te, n.DimsOf(past)[0], te.math().Int(2), "the first dimension of the cache");
        return te.Compute("out", d, n.TypeOf(past), [&](Indices at) {
          at.insert(at.begin(), te.math().Int(which));
          return te.At(te.Input(0), at);
        });
      });
    };
    h.k = After(n, half(0), h.k);
    h.v = After(n, half(1), h.v);
  }
  if (n.Has(5)) h.bias = n.In(5);
  LATHE_ASSIGN_OR_RETURN(const Operand y, Attend(n, h));
  if (!n.Wants(1)) return y;
  const Operand present =
      n.Op("relax.stack", {transform::BlockBuilder::Tuple({h.k, h.v})}, {{"axis", 0}});
  return Operands{y, present};
}

// Inputs: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value.
absl::StatusOr<Results> ImportMultiHeadAttention(NodeCall& n) {
  const int64_t heads = n.Int("num_heads", 0);
  if (!n.Has(1) || !n.Has(2))
    return n.Unsupported() << "packed queries, keys and values are not supported";
  if (n.Has(8))
    return n.Unsupported() << "a shared cache ('past_sequence_length') is not supported";
  Operand q = n.In(0), k = n.In(1), v = n.In(2);
  if (n.Has(3)) {
    LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(3), 1));
    // The biases of query, key and value are concatenated.
    const auto with_bias = [&](Operand& x, int64_t begin) -> int64_t {
      const auto size = n.Rank(x) == 3 ? NodeCall::IntOf(n.DimsOf(x).back()) : std::nullopt;
      if (!size) return -1;
      x = n.Op("relax.add", {x, Columns(n, n.In(3), begin, *size)});
      return begin + *size;
    };
    int64_t at = 0;
    for (Operand* x : {&q, &k, &v}) at = at < 0 ? at : with_bias(*x, at);
    if (at < 0)
      return n.Unsupported()
             << "a bias for inputs that are already split into heads is not supported";
  }
  Heads h;
  LATHE_ASSIGN_OR_RETURN(h.q, Split(n, q, heads));
  LATHE_ASSIGN_OR_RETURN(h.k, Split(n, k, heads));
  LATHE_ASSIGN_OR_RETURN(h.v, Split(n, v, heads));
  LATHE_RETURN_IF_ERROR(n.status());
  h.scale = n.Float("scale", 0);
  h.causal = n.Int("unidirectional", 0) != 0;
  h.past = n.ir().Int(0);
  if (n.Has(4)) h.mask = n.In(4);
  if (n.Has(5)) h.bias = n.In(5);
  if (n.Has(6)) {
    LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(6), 4));
    h.past = n.DimsOf(n.In(6))[2];
    h.k = After(n, n.In(6), h.k);
  }
  if (n.Has(7)) h.v = After(n, n.In(7), h.v);
  LATHE_ASSIGN_OR_RETURN(const Operand y, Attend(n, h));
  return Operands{y, h.k, h.v};
}

// Inputs: input, position_ids, cos_cache, sin_cache. position_ids is one offset, or one per row.
absl::StatusOr<Results> ImportMicrosoftRotaryEmbedding(NodeCall& n) {
  const Operand x = n.In(0), positions = n.In(1);
  if (n.Int("is_packed_batching", 0) != 0)
    return n.Unsupported() << "'is_packed_batching' is not supported";
  if (n.Float("scale", 1.0) != 1.0)
    return n.Unsupported() << "a scale other than 1 is not supported";
  const bool flat = n.Rank(x) == 3;
  const auto half = n.Rank(n.In(2)) == 2 ? NodeCall::IntOf(n.DimsOf(n.In(2))[1]) : std::nullopt;
  int64_t heads = n.Int("num_heads", 0);
  const auto width = flat ? NodeCall::IntOf(n.DimsOf(x)[2]) : std::nullopt;
  if (half && *half < 1) return n.Error() << "the tables of cosines and sines must not be empty";
  if (flat && heads == 0 && width && half) heads = *width / (2 * *half);
  LATHE_ASSIGN_OR_RETURN(const Operand split, Split(n, x, heads));
  const bool first_only = n.Rank(positions) == 1;
  const Dims dims = n.DimsOf(split);
  if (!first_only && n.Rank(positions) != 2)
    return n.Error() << "the positions must have rank 1 or 2";
  LATHE_ASSIGN_OR_RETURN(
      Operand y, RotateHeads(n, split, {positions}, n.In(2), n.In(3), n.Int("interleaved", 0) != 0,
                             [&](Te& te, const Indices& at) {
                               ScalarMath& m = te.math();
                               const DType wide = DType::Int(64);
                               const Dims one = {m.Int(1)}, each = {dims[0], dims[2]};
                               NeedSameDims(n, te, te.Input(3)->shape, first_only ? one : each,
                                            "the positions");
                               if (!first_only)
                                 return m.Cast(te.At(te.Input(3), {at[0], at[2]}), wide);
                               return m.Add(m.Cast(te.At(te.Input(3), {m.Int(0)}), wide), at[2]);
                             }));
  LATHE_RETURN_IF_ERROR(n.status());
  return flat ? Joined(n, y) : y;
}

namespace {

// Returns `lengths` as a list, and checks that they are from `fresh` - 1 to `most` - 1.
Operand CheckedLengths(NodeCall& n, const Operand& lengths, PrimRef batch, PrimRef fresh,
                       PrimRef most) {
  return n.Kernel("lengths", {n.Reshape(lengths, {batch})}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef out = te.Allocate("out", te.Input(0)->shape, te.Input(0)->dtype);
    te.Run("check", out->shape, [&](ops::Statements& s, const Indices& at) {
      const PrimRef last = s.Let("last", te.At(te.Input(0), at));
      const PrimRef count = m.Add(m.Cast(last, DType::Int(64)), m.Int(1));
      s.Need(m.And(m.Le(fresh, count), m.Le(count, most)),
             "GroupQueryAttention needs lengths from the new keys on to the room of the cache");
      s.Store(out, at, last);
    });
    return out;
  });
}

}  // namespace

// Inputs: query, key, value, past_key, past_value, seqlens_k, total_sequence_length, cos_cache,
// sin_cache. seqlens_k is the number of keys per batch, including the new ones, minus one.
absl::StatusOr<Results> ImportGroupQueryAttention(NodeCall& n) {
  const int64_t heads = n.Int("num_heads", 0), groups = n.Int("kv_num_heads", 0);
  if (!n.Has(1) || !n.Has(2))
    return n.Unsupported() << "packed queries, keys and values are not supported";
  for (int i = 9; i < n.inputs(); ++i) {
    if (n.Has(i)) return n.Unsupported() << "input " << i << " is not supported";
  }
  Heads h;
  LATHE_ASSIGN_OR_RETURN(h.q, Split(n, n.In(0), heads));
  LATHE_ASSIGN_OR_RETURN(h.k, Split(n, n.In(1), groups));
  LATHE_ASSIGN_OR_RETURN(h.v, Split(n, n.In(2), groups));
  const Operand lengths = n.In(5);
  for (const int cache : {3, 4}) {
    if (n.Has(cache) && n.Rank(n.In(cache)) != 4) return n.Error() << "the cache must have rank 4";
  }
  LATHE_RETURN_IF_ERROR(n.status());
  const PrimRef fresh = n.DimsOf(h.q)[2];
  // New keys are stored after the cached ones, in the same buffer.
  const auto room = [&](int cache) { return n.Has(cache) ? n.DimsOf(n.In(cache))[2] : fresh; };
  const auto declared = n.ConstantInts(6);
  const PrimRef total = n.ir().Int(declared && declared->size() == 1 ? (*declared)[0] : 0);
  const PrimRef most = n.Simplify(n.math().Max(n.math().Max(room(3), fresh), total));
  const Operand flat_lengths = CheckedLengths(n, lengths, n.DimsOf(h.q)[0], fresh, most);
  // Index of the first new key.
  const auto begin = [&](Te& te, int input, PrimRef batch) {
    ScalarMath& m = te.math();
    const PrimRef last = m.Cast(te.At(te.Input(input), {batch}), DType::Int(64));
    return m.Add(m.Sub(last, fresh), m.Int(1));
  };
  if (n.Int("do_rotary", 0) != 0) {
    const bool interleaved = n.Int("rotary_interleaved", 0) != 0;
    for (Operand* x : {&h.q, &h.k}) {
      LATHE_ASSIGN_OR_RETURN(*x, RotateHeads(n, *x, {flat_lengths}, n.In(7), n.In(8), interleaved,
                                             [&](Te& te, const Indices& at) {
                                               return te.math().Add(begin(te, 3, at[0]), at[2]);
                                             }));
    }
  }
  // The result has the length of the cache or, without one, the declared length.
  const auto present = [&](int cache, const Operand& x) -> Operand {
    if (!n.Has(cache) || NodeCall::IntOf(n.DimsOf(n.In(cache))[2]) == 0) return x;
    Dims d = n.DimsOf(n.In(cache));
    if (const auto total = n.ConstantInts(6); total && total->size() == 1) {
      const auto room = NodeCall::IntOf(d[2]);
      if (room && *room < (*total)[0]) d[2] = n.ir().Int((*total)[0]);
    }
    return n.Kernel("present", {n.In(cache), x, flat_lengths}, [&](Te& te) {
      ScalarMath& m = te.math();
      const Dims given = n.DimsOf(x);
      NeedSameDims(n, te, {given[0], given[1], given[3]}, {d[0], d[1], d[3]}, "the cache");
      return te.Compute("out", d, n.TypeOf(x), [&](const Indices& at) {
        const PrimRef first = begin(te, 2, at[0]);
        Indices old = at, made = at;
        old[2] = m.Max(m.Int(0), m.Min(at[2], m.Sub(te.Input(0)->shape[2], m.Int(1))));
        made[2] = m.Max(m.Int(0), m.Min(m.Sub(at[2], first), m.Sub(fresh, m.Int(1))));
        const PrimRef end = m.Add(first, fresh);
        const PrimRef later =
            m.IfThenElse(m.Lt(at[2], end), te.At(te.Input(1), made), m.Const(0, n.TypeOf(x)));
        return m.IfThenElse(m.Lt(at[2], first), te.At(te.Input(0), old), later);
      });
    });
  };
  h.k = present(3, h.k);
  h.v = present(4, h.v);
  h.scale = n.Float("scale", 0);
  h.softcap = n.Float("softcap", 0);
  h.window = n.Int("local_window_size", -1);
  h.totals = flat_lengths;
  h.past = n.ir().Int(0);
  LATHE_ASSIGN_OR_RETURN(const Operand y, Attend(n, h));
  return Operands{y, h.k, h.v};
}

}  // namespace lathe::onnx
