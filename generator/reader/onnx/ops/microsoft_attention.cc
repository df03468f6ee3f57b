// Imports com.microsoft's attention operators: packed and separate projections, caches and masks.
#include "generator/reader/onnx/attend.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/rotate_heads.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

Operand After(NodeCall& n, const Operand& past, const Operand& x) {
  return n.Op("relax.concat", {transform::BlockBuilder::Tuple({past, x})}, {{"axis", 2}});
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
  LATHE_ASSIGN_OR_RETURN(h.q, SplitHeads(n, ColumnsOf(n, packed, 0, sizes[0]), heads));
  LATHE_ASSIGN_OR_RETURN(h.k, SplitHeads(n, ColumnsOf(n, packed, sizes[0], sizes[1]), heads));
  LATHE_ASSIGN_OR_RETURN(h.v,
                         SplitHeads(n, ColumnsOf(n, packed, sizes[0] + sizes[1], sizes[2]), heads));
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
      x = n.Op("relax.add", {x, ColumnsOf(n, n.In(3), begin, *size)});
      return begin + *size;
    };
    int64_t at = 0;
    for (Operand* x : {&q, &k, &v}) at = at < 0 ? at : with_bias(*x, at);
    if (at < 0)
      return n.Unsupported()
             << "a bias for inputs that are already split into heads is not supported";
  }
  Heads h;
  LATHE_ASSIGN_OR_RETURN(h.q, SplitHeads(n, q, heads));
  LATHE_ASSIGN_OR_RETURN(h.k, SplitHeads(n, k, heads));
  LATHE_ASSIGN_OR_RETURN(h.v, SplitHeads(n, v, heads));
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
  LATHE_ASSIGN_OR_RETURN(const Operand split, SplitHeads(n, x, heads));
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
  return flat ? JoinHeads(n, y) : y;
}

}  // namespace lathe::onnx
