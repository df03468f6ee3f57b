// Imports com.microsoft's GroupQueryAttention: groups of queries that share keys, with a cache.
#include <algorithm>

#include "generator/reader/onnx/attend.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/rotate_heads.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

absl::Status CheckQueryGroups(NodeCall& n) {
  for (int i = 12; i < n.inputs(); ++i) {
    if (n.Has(i)) return n.Unsupported() << "input " << i << " is not supported";
  }
  for (const char* name : {"sliding_window_cache", "qk_output", "kv_cache_bit_width"}) {
    if (n.Int(name, 0) != 0) return n.Unsupported() << "'" << name << "' is not supported";
  }
  if (n.Int("causal", 1) == 0) return n.Unsupported() << "'causal' of 0 is not supported";
  for (const char* name : {"k_quant_type", "v_quant_type"}) {
    if (n.String(name, "NONE") != "NONE")
      return n.Unsupported() << "a quantized cache is not supported";
  }
  return absl::OkStatus();
}

// Returns the queries, keys and values, which may be packed into the first input.
absl::StatusOr<Heads> HeadsOfGroups(NodeCall& n) {
  const int64_t heads = n.Int("num_heads", 0), groups = n.Int("kv_num_heads", 0);
  Operand q = n.In(0), k = q, v = q;
  if (n.Has(1) && n.Has(2)) {
    k = n.In(1);
    v = n.In(2);
  } else {
    const auto width = n.Rank(q) == 3 ? NodeCall::IntOf(n.DimsOf(q)[2]) : std::nullopt;
    const int64_t all = heads + 2 * groups;
    if (!width || heads < 1 || groups < 1 || all < 1 || *width % all != 0) {
      return n.Error() << "packed queries, keys and values must have rank 3, and a constant size "
                          "for each head";
    }
    const int64_t size = *width / all;
    k = ColumnsOf(n, q, heads * size, groups * size);
    v = ColumnsOf(n, q, (heads + groups) * size, groups * size);
    q = ColumnsOf(n, q, 0, heads * size);
  }
  Heads h;
  LATHE_ASSIGN_OR_RETURN(h.q, SplitHeads(n, q, heads));
  LATHE_ASSIGN_OR_RETURN(h.k, SplitHeads(n, k, groups));
  LATHE_ASSIGN_OR_RETURN(h.v, SplitHeads(n, v, groups));
  return h;
}

// Returns `bias` with zeros for the keys that it has no columns for.
absl::StatusOr<Operand> BiasAsWideAs(NodeCall& n, const Operand& bias, PrimRef keys) {
  if (n.Rank(bias) != 4) return n.Error() << "the attention bias must have rank 4";
  Dims dims = n.DimsOf(bias);
  const PrimRef columns = dims[3];
  dims[3] = keys;
  return n.Kernel("wide_bias", {bias}, [&](Te& te) {
    ScalarMath& m = te.math();
    te.Need(m.Le(columns, keys), "GroupQueryAttention needs a bias of keys in the cache only");
    return te.Compute("out", dims, n.TypeOf(bias), [&](const Indices& at) {
      return m.IfThenElse(m.Lt(at[3], columns), te.At(te.Input(0), at), m.Const(0, n.TypeOf(bias)));
    });
  });
}

// Returns `lengths` as a list, and checks that they are from `fresh` - 1 to `most` - 1. With an
// empty cache, they may be less: padding then follows the keys.
Operand CheckedLengths(NodeCall& n, const Operand& lengths, PrimRef batch, PrimRef fresh,
                       PrimRef most) {
  PrimRef least = n.ir().Int(1);
  if (n.Has(3)) {
    const PrimRef cached = n.DimsOf(n.In(3))[2];
    least = n.Simplify(n.math().Select(n.math().Eq(cached, n.ir().Int(0)), least, fresh));
  }
  return n.Kernel("lengths", {n.Reshape(lengths, {batch})}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef out = te.Allocate("out", te.Input(0)->shape, te.Input(0)->dtype);
    te.Run("check", out->shape, [&](ops::Statements& s, const Indices& at) {
      const PrimRef last = s.Let("last", te.At(te.Input(0), at));
      const PrimRef count = m.Add(m.Cast(last, DType::Int(64)), m.Int(1));
      s.Need(m.And(m.Le(least, count), m.Le(count, most)),
             "GroupQueryAttention needs lengths from the new keys on to the room of the cache");
      s.Store(out, at, last);
    });
    return out;
  });
}

}  // namespace

// Inputs: query, key, value, past_key, past_value, seqlens_k, total_sequence_length, cos_cache,
// sin_cache, position_ids, attention_bias, head_sink. seqlens_k is the number of keys per batch,
// including the new ones, minus one.
absl::StatusOr<Results> ImportGroupQueryAttention(NodeCall& n) {
  LATHE_RETURN_IF_ERROR(CheckQueryGroups(n));
  LATHE_ASSIGN_OR_RETURN(Heads h, HeadsOfGroups(n));
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
    return m.Max(m.Add(m.Sub(last, fresh), m.Int(1)), m.Int(0));
  };
  if (n.Int("do_rotary", 0) != 0) {
    const bool interleaved = n.Int("rotary_interleaved", 0) != 0, given = n.Has(9);
    const Operand places = given ? n.In(9) : flat_lengths;
    const Dims each = {n.DimsOf(h.q)[0], fresh};
    for (Operand* x : {&h.q, &h.k}) {
      LATHE_ASSIGN_OR_RETURN(
          *x, RotateHeads(
                  n, *x, {places}, n.In(7), n.In(8), interleaved, [&](Te& te, const Indices& at) {
                    if (!given) return te.math().Add(begin(te, 3, at[0]), at[2]);
                    NeedSameDims(n, te, te.Input(3)->shape, each, "the positions");
                    return te.math().Cast(te.At(te.Input(3), {at[0], at[2]}), DType::Int(64));
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
  if (n.Has(10)) {
    LATHE_ASSIGN_OR_RETURN(h.bias, BiasAsWideAs(n, n.In(10), n.DimsOf(h.k)[2]));
  }
  if (n.Has(11)) {
    h.sink = n.In(11);
  } else if (n.Int("smooth_softmax", 0) > 0) {
    const Dims each = {n.ir().Int(n.Int("num_heads", 0))};
    h.sink = n.Op("relax.zeros", {NodeCall::Shape(each)}, {{"dtype", n.TypeOf(h.q)}});
  }
  LATHE_ASSIGN_OR_RETURN(const Operand y, Attend(n, h));
  return Operands{y, h.k, h.v};
}

}  // namespace lathe::onnx
